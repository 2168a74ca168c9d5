// Certificates of electronic signatures: keys to sign with, and signing a PDF.
export { type CheckedSignature, checkSignatures } from './check.ts'
export { currentAuthority, keyOf, type UsableKey } from './keys.ts'
export { signPdf, type ToSign } from './sign-pdf.ts'
