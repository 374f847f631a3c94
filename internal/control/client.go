package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// MaxAnswerBytes bounds an answer of labserver that is not a stream.
const MaxAnswerBytes = 64 << 20

// Client speaks labserver's control API. It is safe for concurrent use. Every
// method returns *APIError for an answer that is not a 2xx.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// NewClient returns a client of the control API at base (http://host:port).
// hc must have no timeout of its own: streams and waits last; bound a call by
// its context.
func NewClient(base, token string, hc *http.Client) *Client {
	return &Client{base: strings.TrimSuffix(base, "/"), token: token, http: hc}
}

// call sends in as JSON (nil = no body) and decodes the answer into out.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	body, err := c.open(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, MaxAnswerBytes))
	if err != nil {
		return fmt.Errorf("labserver: reading the answer to %s %s: %w", method, path, err)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("labserver: the answer to %s %s is not the expected JSON: %w", method, path, err)
	}
	return nil
}

// open sends a request and returns the body of a 2xx.
func (c *Client) open(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	req, err := c.request(ctx, method, path, in)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("labserver: %w", err)
	}
	if res.StatusCode/100 != 2 {
		defer res.Body.Close()
		return nil, apiError(res)
	}
	return res.Body, nil
}

func (c *Client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("labserver: %s %s: %w", method, path, err)
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, fmt.Errorf("labserver: %w", err)
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req, nil
}

// experiment is the path below /v1/experiments/.
func experiment(name string, below ...string) string {
	path := "/v1/experiments/" + url.PathEscape(name)
	for _, b := range below {
		path += "/" + url.PathEscape(b)
	}
	return path
}
