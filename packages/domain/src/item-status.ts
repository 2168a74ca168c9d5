/** The item status bits. [R133] */
export const ItemStatusBit = {
  externalLinkSingle: 1,
  externalLinkMulti: 2,
  authorized: 4,
  secret: 8,
  conflict: 16,
  deleted: 32,
  favorite: 64,
  spaceLimit: 128,
  externalLinkCreationDisabled: 256,
  modifySecretLevelAllowed: 512,
  fileAudit: 1024,
  auditDetecting: 2048,
  watchChange: 4096,
  watchDownload: 8192,
  workflowUnsubmitted: 16384,
  approved: 32768,
  rejected: 65536,
  rolledBack: 131072,
  loading: 262144,
  singleArchive: 524288,
  applyAuthorization: 1048576,
  signing: 2097152,
  associateFolder: 4194304,
  modifyAssociateFolder: 8388608,
  multipleArchive: 16777216,
  editAlone: 33554432,
  editMulti: 67108864,
  shortcut: 134217728,
  folderReadOnly: 268435456,
  inheritAssociationFolder: 536870912,
  /** The caller manages the item's library. [X41] */
  documentManager: 1073741824,
} as const

export type ItemStatusName = keyof typeof ItemStatusBit

/** A mask of item status bits, branded so that a mask of rights cannot be used in its place. [X49] */
export type ItemStatus = number & { readonly __brand: 'itemStatus' }

/** Combines named bits and external masks into a status. */
export function itemStatus(...parts: readonly (ItemStatusName | number)[]): ItemStatus {
  const mask = parts.reduce<number>((sum, part) => sum | (typeof part === 'number' ? part : ItemStatusBit[part]), 0)
  return mask as ItemStatus
}

/** State of the check for sensitive words, shown as a badge: 0 none, 1 in progress, 2 found some. [R134] */
export type SensitiveBadge = 0 | 1 | 2

/** Returns the badge of a status. A running check takes precedence over the result of the previous version. */
export function sensitiveBadge(status: ItemStatus): SensitiveBadge {
  return hasStatus(status, 'auditDetecting') ? 1 : hasStatus(status, 'fileAudit') ? 2 : 0
}

/** Returns whether the status has the bit. */
export function hasStatus(status: ItemStatus, name: ItemStatusName): boolean {
  return (status & ItemStatusBit[name]) !== 0
}
