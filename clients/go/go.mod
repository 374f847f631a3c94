module github.com/deadlinelab/deadlinelab/clients/go

go 1.26.0

require (
	github.com/cenkalti/backoff/v5 v5.0.3
	github.com/deadlinelab/deadlinelab v0.0.0
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/go-resty/resty/v2 v2.17.2
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/valyala/fasthttp v1.78.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/molecule-man/go-brrr v1.3.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/net v0.62.0 // indirect
)

replace github.com/deadlinelab/deadlinelab => ../..
