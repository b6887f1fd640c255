// Package verify verifies the signatures of Switchboard's events. It needs the standard library only.
//
//	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//	// ...
//	err = verify.Verify(secret, r.Header.Get("X-Service-Timestamp"), r.Header.Get("X-Service-Signature"), body, time.Now())
//	// if err is nil, parse the body and handle each event id once
package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Tolerance is the maximum age of a timestamp. Older timestamps are refused.
const Tolerance = 5 * time.Minute

// The reasons why Verify refuses a request.
var (
	ErrBadTimestamp = errors.New("X-Service-Timestamp is not Unix time in seconds")
	ErrMismatch     = errors.New("no value of X-Service-Signature matches")
	ErrTooOld       = errors.New("the timestamp is more than 5 minutes old")
)

// Verify checks one request: its headers X-Service-Timestamp and X-Service-Signature, and the raw bytes of its body.
func Verify(secret, timestamp, signature string, body []byte, now time.Time) error {
	// ParseUint accepts only digits, without a sign
	sent, err := strconv.ParseUint(timestamp, 10, 63)
	if err != nil {
		return ErrBadTimestamp
	}

	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))

	// for 24 hours after a rotation of the secret, the header has two values; one match suffices
	right := false
	for _, value := range strings.Split(signature, ",") {
		if hmac.Equal(expected, []byte(strings.TrimSpace(value))) {
			right = true
		}
	}
	if !right {
		return ErrMismatch
	}

	if now.Unix()-int64(sent) > int64(Tolerance/time.Second) {
		return ErrTooOld
	}
	return nil
}
