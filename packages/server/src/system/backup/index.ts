/** Backup, restore and verification of a whole installation; format.ts describes the format on disk. */
export { type BackupDone, type BackupOptions, backUp, type Progress } from './backup.ts'
export { BackupBroken, BackupRefused, openSnapshot } from './format.ts'
export { type RestoreDone, type RestoreOptions, restore } from './restore.ts'
export { keepNewest } from './retention.ts'
export { type Verified, verify } from './verify.ts'
