#!/bin/sh
# Makes the inputs of verification/fuzz/seeds/cms again: sh make-cms.sh (needs openssl and keytool). All passwords are
# "secret"; the certificates are valid from 2020 for a hundred years.
set -eu
cd "$(dirname "$0")/cms"
out=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >ca.cnf <<CONFIG
[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
crlnumber = crlnumber
rand_serial = yes
default_md = sha256
policy = any
certificate = root.pem
private_key = root.key
default_crl_days = 30000
crl_extensions = list
[any]
commonName = supplied
[req]
distinguished_name = any
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign, digitalSignature
[leaf]
basicConstraints = CA:FALSE
crlDistributionPoints = URI:http://a.test/list.crl
authorityInfoAccess = OCSP;URI:http://a.test/ocsp
certificatePolicies = 1.2.3.4
subjectAltName = email:a@a.test
[stamps]
basicConstraints = CA:FALSE
extendedKeyUsage = critical, timeStamping
[list]
authorityKeyIdentifier = keyid
[tsa]
default_tsa = one
[one]
serial = serial
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
CONFIG
: >index.txt
echo 01 >serial
echo 01 >crlnumber
dates='-startdate 20200101000000Z -enddate 21200101000000Z'
certificate() { # name, kind of key, section, more arguments
  name=$1 kind=$2 section=$3
  shift 3
  if [ "$kind" = rsa ]; then openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out "$name.key"
  else openssl genpkey -quiet -algorithm EC -pkeyopt "ec_paramgen_curve:$kind" -out "$name.key"; fi
  openssl req -new -config ca.cnf -key "$name.key" -subj "/CN=$name" -out "$name.csr"
  openssl ca -config ca.cnf -batch -notext -in "$name.csr" -extensions "$section" $dates -out "$name.pem" "$@" 2>/dev/null
}
certificate root P-256 root -selfsign -keyfile root.key
certificate leaf rsa leaf
certificate stamps P-256 stamps
printf content >content
openssl cms -sign -binary -in content -signer leaf.pem -inkey leaf.key -certfile root.pem -keyopt rsa_padding_mode:pss \
  -outform DER -out "$out/pss.der"
openssl cms -sign -binary -in content -signer stamps.pem -inkey stamps.key -cades -nodetach -outform DER \
  -out "$out/attached.der"
openssl ts -query -data content -cert -sha256 -out query
openssl ts -reply -config ca.cnf -queryfile query -signer stamps.pem -inkey stamps.key -token_out -out "$out/time-stamp.der" \
  2>/dev/null
openssl ca -config ca.cnf -revoke leaf.pem -crl_reason keyCompromise 2>/dev/null
openssl ca -config ca.cnf -gencrl -out list.pem 2>/dev/null
openssl crl -in list.pem -outform DER -out "$out/list.der"
openssl ocsp -index index.txt -CA root.pem -rsigner root.pem -rkey root.key -issuer root.pem -cert leaf.pem \
  -respout "$out/ocsp.der" -ndays 30000 >/dev/null 2>&1
openssl x509 -in leaf.pem -outform DER -out "$out/certificate.der"
openssl x509 -in root.pem -outform DER -out "$out/issuer.der"
openssl pkcs8 -topk8 -in root.key -outform DER -passout pass:secret -out "$out/key.der"
openssl ec -in root.key -aes128 -passout pass:secret -out "$out/key.pem" 2>/dev/null
openssl pkcs12 -export -inkey leaf.key -in leaf.pem -certfile root.pem -name leaf -passout pass:secret -out "$out/store.p12"
keytool -importkeystore -srckeystore "$out/store.p12" -srcstorepass secret -destkeystore store.jks -deststoretype JKS \
  -deststorepass secret -noprompt 2>/dev/null
cp store.jks "$out/store.jks"
