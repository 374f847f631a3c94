//go:build !unix

package labserver

// reserve cannot keep a port without listening here: somebody else may get it.
func reserve(cfg *Config, addr string) (at string, free func(), err error) {
	return reserveBriefly(cfg, addr)
}
