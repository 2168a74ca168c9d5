/** What happened to an item, as pushes 6 and 7 name it. [R091] [X43] */
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

/** The name of an operation that a push tells of. */
export type OperateTypeName = keyof typeof OperateType

/** What a file log entry is about. */
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

/** The name of a log entry's kind. */
export type LogBitName = keyof typeof LogBit

/** The log entry of each operation. Three kinds of delete share one, so the operation is stored beside it. [X9] */
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
