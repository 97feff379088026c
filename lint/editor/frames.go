package editor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	// maxFrame bounds a message, in bytes: a file of the largest size that is read, with room for JSON's escapes.
	maxFrame = 32 << 20
	// maxHeaderLine and maxHeaderLines bound what stands in front of one.
	maxHeaderLine, maxHeaderLines = 1 << 10, 32
)

var errHeader = errors.New("the header of a message is not one of the Language Server Protocol")

// frames are messages with a header that has their length. What is no JSON, or no message, is answered and passed over;
// a header that cannot be read ends the stream, since where the next message begins is not known.
type frames struct {
	in    *bufio.Reader
	out   io.Writer
	close func() error
	log   func(format string, args ...any)

	mu sync.Mutex
}

func newFrames(in io.Reader, out io.Writer, closing func() error, log func(string, ...any)) *frames {
	return &frames{in: bufio.NewReaderSize(in, 4*maxHeaderLine), out: out, close: closing, log: log}
}

// ReadObject is for jsonrpc2.ObjectStream.
func (f *frames) ReadObject(v any) error {
	for {
		body, err := f.frame()
		switch {
		case err != nil:
			return err
		case body == nil:
			continue
		case !json.Valid(body):
			err = f.refuse(jsonrpc2.CodeParseError, "this message is not JSON")
		default:
			if json.Unmarshal(body, v) == nil {
				return nil
			}
			err = f.refuse(jsonrpc2.CodeInvalidRequest, "this message is no request, notification or response")
		}
		if err != nil {
			return err
		}
	}
}

// frame reads a message; nil for one that is too long, which is passed over.
func (f *frames) frame() ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
	}
	if length > maxFrame {
		f.log("a message of %d bytes is passed over: at most %d are read", length, maxFrame)
		_, err := io.CopyN(io.Discard, f.in, length)
		return nil, err
	}
	// Read in steps: a length costs nothing before the bytes are there.
	body, err := io.ReadAll(io.LimitReader(f.in, length))
	if err == nil && int64(len(body)) < length {
		err = io.ErrUnexpectedEOF
	}
	return body, err
}

// header gives the length of the message behind it.
func (f *frames) header() (int64, error) {
	length := int64(-1)
	for n := 0; n < maxHeaderLines; n++ {
		raw, err := f.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull), err == nil && len(raw) > maxHeaderLine:
			return 0, errHeader
		case errors.Is(err, io.EOF) && (len(raw) > 0 || n > 0):
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		line := strings.TrimRight(string(raw), "\r\n")
		if line == "" {
			if length < 0 {
				return 0, errHeader
			}
			return length, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return 0, errHeader
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
				return 0, errHeader
			}
		}
	}
	return 0, errHeader
}

// refuse answers a message whose number cannot be read.
func (f *frames) refuse(code int, message string) error {
	return f.WriteObject(fields{"jsonrpc": "2.0", "id": nil, "error": fields{"code": code, "message": message}})
}

// WriteObject is for jsonrpc2.ObjectStream.
func (f *frames) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.write(body)
}

// notify sends a notification whose parameters are encoded already. By way of jsonrpc2 each of its layers would read them
// again, which is half of what a letter costs in a file with a thousand findings.
func (f *frames) notify(method string, params []byte) error {
	return f.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

func (f *frames) write(body []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// Close is for jsonrpc2.ObjectStream.
func (f *frames) Close() error { return f.close() }
