// Signatures of people and seals of the company, as pictures.
export { logSealUse, ownSignature, usableSeal } from './seals.ts'
