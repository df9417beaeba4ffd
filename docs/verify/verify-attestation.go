// Verifies an attestation of Signalbox, in Go 1.19 or newer; no dependencies, no network.
//
//	go run verify-attestation.go attestation.json key.pem gitCommit:7d3f1f0b... production "$PROJECT_ID"
package main

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
)

type envelope struct {
	PayloadType string
	Payload     string
	Signatures  []struct{ Sig string }
}

type statement struct {
	PredicateType string
	Subject       []struct{ Digest map[string]string }
	Predicate     struct {
		Properties []string
		Signalbox  struct {
			ProjectID string `json:"project_id"`
		}
	}
}

func verifies(key *ecdsa.PublicKey, given envelope, body []byte) bool {
	// What is signed: the pre-authentication encoding of DSSE.
	signed := fmt.Sprintf("DSSEv1 %d %s %d %s", len(given.PayloadType), given.PayloadType, len(body), body)
	hash := sha256.Sum256([]byte(signed))
	for _, each := range given.Signatures {
		signature, err := base64.StdEncoding.DecodeString(each.Sig)
		if err == nil && ecdsa.VerifyASN1(key, hash[:], signature) {
			return true
		}
	}
	return false
}

// Refusal returns why the attestation does not allow the digest in the environment of the project, or an empty string if it does.
func Refusal(given envelope, key *ecdsa.PublicKey, digest, environment, projectID string) string {
	body, err := base64.StdEncoding.DecodeString(given.Payload)
	if err != nil || !verifies(key, given, body) {
		return "the signature does not match"
	}
	if given.PayloadType != "application/vnd.in-toto+json" {
		return "this is no in-toto statement"
	}
	var said statement
	if json.Unmarshal(body, &said) != nil || said.PredicateType != "https://in-toto.io/attestation/svr/v0.1" {
		return "this is no verification result"
	}
	algorithm, value, _ := strings.Cut(digest, ":")
	has := map[string]bool{}
	for _, each := range said.Subject {
		has["digest"] = has["digest"] || (value != "" && each.Digest[algorithm] == value)
	}
	if !has["digest"] {
		return "this is not about " + digest
	}
	// The key signs for all projects of the organization.
	if said.Predicate.Signalbox.ProjectID != projectID {
		return "this is for another project"
	}
	for _, each := range said.Predicate.Properties {
		has[each] = true
	}
	for _, wanted := range []string{"SIGNALBOX_APPROVED", "SIGNALBOX_ENVIRONMENT_" + environment} {
		if !has[wanted] {
			return "this lacks " + wanted
		}
	}
	return ""
}

func read(name string) []byte {
	bytes, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return bytes
}

func main() {
	if len(os.Args) != 6 || os.Args[5] == "" {
		fmt.Println("usage: verify-attestation ATTESTATION KEY DIGEST ENVIRONMENT PROJECT_ID")
		os.Exit(1)
	}
	block, _ := pem.Decode(read(os.Args[2]))
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	var given envelope
	if err != nil || json.Unmarshal(read(os.Args[1]), &given) != nil {
		panic("the key or the attestation is malformed")
	}
	if reason := Refusal(given, parsed.(*ecdsa.PublicKey), os.Args[3], os.Args[4], os.Args[5]); reason != "" {
		fmt.Println(reason)
		os.Exit(1)
	}
	fmt.Println("ok")
}
