module github.com/headroom-dev/headroom/lab

go 1.26.0
