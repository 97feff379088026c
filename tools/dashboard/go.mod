// The schema of Grafana's dashboards and panels, as Go types, for the test of the chart's dashboard.
module github.com/headroom-dev/headroom/tools/dashboard

go 1.26.0

require github.com/grafana/grafana-foundation-sdk/go v0.0.18
