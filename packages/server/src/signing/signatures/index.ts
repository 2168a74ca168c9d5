// Signatures of people and seals of the company, as pictures.

export { pictureOf } from './handlers.ts'
export { logSealUse, ownSignature, usableSeal } from './seals.ts'
