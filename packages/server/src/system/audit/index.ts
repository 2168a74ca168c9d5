// The audit, for whoever reads what happened: lists, exports, and the chain that shows what was tampered with.
export { dateAuditAsOnDisk } from './disk-dates.ts'
export { type ExportedHeads, exportHeads, type Problem, type Verified, verifyAudit } from './verify.ts'
