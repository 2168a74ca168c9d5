/** The operation on an item in pushes 6 and 7. [R091] [X43] */
export const OperateType = {
  download: 1,
  add: 2,
  edit: 3,
  delete: 4,
  restore: 5,
  copy: 6,
  move: 7,
  rename: 8,
  conflict: 9,
  conflictResolved: 10,
  rights: 11,
  deleteSubFolder: 12,
  deleteSubFile: 13,
} as const

export type OperateTypeName = keyof typeof OperateType

/** The kinds of file log entries. */
export const LogBit = {
  download: 2,
  add: 4,
  edit: 8,
  delete: 16,
  restore: 32,
  copy: 64,
  cut: 128,
  rename: 256,
  conflict: 512,
  resolveConflict: 1024,
  permissionChange: 2048,
  secretChange: 32768,
  addTag: 65536,
  deleteTag: 131072,
  preview: 524288,
  encrypt: 1048576,
  startEdit: 2097152,
  createLink: 4194304,
  modifyLink: 8388608,
  cancelLink: 16777216,
} as const

export type LogBitName = keyof typeof LogBit

/** The log kind of each operation. Three kinds of delete share one, so the operation is stored in addition. [X9] */
export const logOf = {
  download: 'download',
  add: 'add',
  edit: 'edit',
  delete: 'delete',
  restore: 'restore',
  copy: 'copy',
  move: 'cut',
  rename: 'rename',
  conflict: 'conflict',
  conflictResolved: 'resolveConflict',
  rights: 'permissionChange',
  deleteSubFolder: 'delete',
  deleteSubFile: 'delete',
} as const satisfies Record<OperateTypeName, LogBitName>
