/**
 * A certificate that nobody trusts, for CN=localhost, and its key. Made for these tests only, with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj
 * /CN=localhost`.
 */
export const SELF_SIGNED = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUX0luTwpcQifsK7mIbPJQcdAw0AgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDIzNDgwOVoYDzIxMjYxMDI3
MjM0ODA5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQA0MrXRFwrg0BXT+ayiPHY6QcamrqHzvwscBgK6/ml2byBA1gwUfXF
YpQnFdGceEbCTtSSnE2Y2ZumemIKfTago1MwUTAdBgNVHQ4EFgQUjutS5XYo1qGT
KSh3QzMGGRt1BSMwHwYDVR0jBBgwFoAUjutS5XYo1qGTKSh3QzMGGRt1BSMwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiB7IEHJw0F6xb/CJsAGW/sG
3KWxLNFKJxxcXtCmYR2J1gIhAP7+kF7OfMtFkocQX2XurR7In/KAH/JPgbRgaH9g
lXdY
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLfLGf0Inkw/BdQz7
fLFf8Cvwola/tkixeRHo4B1dYM+hRANCAAQA0MrXRFwrg0BXT+ayiPHY6QcamrqH
zvwscBgK6/ml2byBA1gwUfXFYpQnFdGceEbCTtSSnE2Y2ZumemIKfTag
-----END PRIVATE KEY-----`,
};
