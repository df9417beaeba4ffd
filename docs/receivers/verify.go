// Verifies both signatures of a request from Signalbox, in Go 1.19 or newer; no dependencies.
//
//	SIGNALBOX_SECRET=whsec_... go run verify.go headers.txt body.json
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/textproto"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// An older request may be a replay.
const tolerance = 5 * time.Minute

// Whole seconds since 1970, in one spelling: ParseInt would also take "+1700000000" and "01700000000".
var wholeSeconds = regexp.MustCompile(`^(0|[1-9][0-9]{0,10})$`)

// After whsec_ the key is base64; otherwise the key is the secret itself.
func keyOf(secret string) ([]byte, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		return []byte(secret), nil
	}
	encoded := strings.TrimPrefix(secret, "whsec_")
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
}

// Refusal returns why a request must be rejected, or an empty string if it is from Signalbox.
// The body is the raw bytes, before anything parsed them.
func Refusal(secret string, headers http.Header, body []byte, now time.Time) string {
	key, err := keyOf(secret)
	if err != nil {
		return "the secret begins with whsec_, but is not base64"
	}
	sum := func(message []byte) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write(message)
		return mac.Sum(nil)
	}
	// Constant time.
	anyFits := func(given []string, expected string) bool {
		for _, each := range given {
			if hmac.Equal([]byte(each), []byte(expected)) {
				return true
			}
		}
		return false
	}

	// During a rotation, the old secret signs as well.
	github := []string{headers.Get("X-Signalbox-Signature"), headers.Get("X-Signalbox-Signature-Previous")}
	if !anyFits(github, "sha256="+hex.EncodeToString(sum(body))) {
		return "X-Signalbox-Signature does not match"
	}

	id, timestamp := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !wholeSeconds.MatchString(timestamp) || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return "webhook-timestamp is too old, or in the future"
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	standard := "v1," + base64.StdEncoding.EncodeToString(sum(signed))
	if !anyFits(strings.Split(headers.Get("Webhook-Signature"), " "), standard) {
		return "webhook-signature does not match"
	}
	return ""
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines, _ := textproto.NewReader(bufio.NewReader(file)).ReadMIMEHeader()
	body, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	if reason := Refusal(os.Getenv("SIGNALBOX_SECRET"), http.Header(lines), body, time.Now()); reason != "" {
		fmt.Println(reason)
		os.Exit(1)
	}
	fmt.Println("ok")
}
