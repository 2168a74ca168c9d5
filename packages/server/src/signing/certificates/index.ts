// Certificates of electronic signatures: keys to sign with, and signing a PDF.
export { CadesSigner } from './cades-signer.ts'
export { type CheckedSignature, checkSignatures } from './check.ts'
export { issueCertificate, makeAuthority } from './issue.ts'
export { companyKey, currentAuthority, keyOf, type UsableKey } from './keys.ts'
export { type RevocationData, RevokedCertificate, revocationOf } from './revocation.ts'
export { signPdf, type ToSign } from './sign-pdf.ts'
export { TimeStampFailure, timeStamp } from './time-stamp.ts'
