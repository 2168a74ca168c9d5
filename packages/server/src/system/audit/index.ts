// The audit for auditors: lists, exports, and the chain that reveals tampering.
export { dateAuditAsOnDisk } from './disk-dates.ts'
export { type ExportedHeads, exportHeads, type Problem, type Verified, verifyAudit } from './verify.ts'
