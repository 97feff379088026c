module github.com/headroom-dev/headroom/tools/browser

go 1.26.8

require github.com/andybalholm/brotli v1.2.8
