package verify

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name      string
	Secret    string
	Timestamp string
	Signature string
	Body      []byte `json:"body_base64"`
	Now       int64
	Expected  string
}

var names = map[error]string{
	nil:             "ok",
	ErrBadTimestamp: "bad_timestamp",
	ErrMismatch:     "mismatch",
	ErrTooOld:       "too_old",
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("there are no vectors")
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			err := Verify(v.Secret, v.Timestamp, v.Signature, v.Body, time.Unix(v.Now, 0))
			if names[err] != v.Expected {
				t.Errorf("Verify returned %v, expected %s", err, v.Expected)
			}
		})
	}
}
