// Verifies a request from Signalbox with the public key of the hook, in Go 1.19 or newer; no dependencies.
//
//	SIGNALBOX_PUBLIC_KEY=whpk_... go run verify-public-key.go headers.txt body.json
package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/base64"
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

// 64 bytes in base64. The decoder would also skip line breaks, and ignore the last bits.
var oneSignature = regexp.MustCompile(`^v1a,([A-Za-z0-9+/]{85}[AQgw]==)$`)

// Refusal returns why a request must be rejected, or an empty string if it is from Signalbox.
// The body is the raw bytes, before anything parsed them.
func Refusal(publicKey string, headers http.Header, body []byte, now time.Time) string {
	// After whpk_ the 32 bytes of the key are in base64.
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(publicKey, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return "the public key is not whpk_ and 32 bytes in base64"
	}

	id, timestamp := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !wholeSeconds.MatchString(timestamp) || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return "webhook-timestamp is too old, or in the future"
	}

	signed := append([]byte(id+"."+timestamp+"."), body...)
	// During a rotation there are two signatures. Those of other versions than v1a are not for this key.
	for _, each := range strings.Split(headers.Get("Webhook-Signature"), " ") {
		given := oneSignature.FindStringSubmatch(each)
		if given == nil {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(given[1])
		if err == nil && ed25519.Verify(key, signed, signature) {
			return ""
		}
	}
	return "webhook-signature does not match"
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
	if reason := Refusal(os.Getenv("SIGNALBOX_PUBLIC_KEY"), http.Header(lines), body, time.Now()); reason != "" {
		fmt.Println(reason)
		os.Exit(1)
	}
	fmt.Println("ok")
}
