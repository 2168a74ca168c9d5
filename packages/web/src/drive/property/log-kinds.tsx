// The event kinds of the log ([R190]) for display: in groups, each with an icon.
import { LogBit, type LogBitName } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import {
  Add16Regular,
  ArrowDownload16Regular,
  ArrowUndo16Regular,
  Copy16Regular,
  Cut16Regular,
  Delete16Regular,
  Edit16Regular,
  Eye16Regular,
  Key16Regular,
  Link16Regular,
  LockClosed16Regular,
  Rename16Regular,
  Shield16Regular,
  Tag16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'

/** All kinds that can be filtered by. */
export const logKindGroups = {
  content: ['preview', 'download', 'add', 'edit', 'startEdit'],
  order: ['copy', 'cut', 'rename', 'delete', 'restore'],
  safety: ['permissionChange', 'secretChange', 'encrypt'],
  links: ['createLink', 'modifyLink', 'cancelLink'],
  tags: ['addTag', 'deleteTag', 'conflict', 'resolveConflict'],
} as const satisfies Record<string, readonly LogBitName[]>

const icons: Readonly<Record<LogBitName, ReactNode>> = {
  preview: <Eye16Regular />,
  download: <ArrowDownload16Regular />,
  add: <Add16Regular />,
  edit: <Edit16Regular />,
  startEdit: <LockClosed16Regular />,
  copy: <Copy16Regular />,
  cut: <Cut16Regular />,
  rename: <Rename16Regular />,
  delete: <Delete16Regular />,
  restore: <ArrowUndo16Regular />,
  permissionChange: <Key16Regular />,
  secretChange: <Shield16Regular />,
  encrypt: <Shield16Regular />,
  createLink: <Link16Regular />,
  modifyLink: <Link16Regular />,
  cancelLink: <Link16Regular />,
  addTag: <Tag16Regular />,
  deleteTag: <Tag16Regular />,
  conflict: <Warning16Regular />,
  resolveConflict: <Warning16Regular />,
}

const names = new Map<number, LogBitName>(
  Object.entries(LogBit).map(([name, bit]) => [bit as number, name as LogBitName]),
)

/** Returns the name of a kind by its bit. */
export const logKindOf = (bit: number): LogBitName | undefined => names.get(bit)

export function LogKindIcon({ kind }: { readonly kind: LogBitName | undefined }): ReactNode {
  return <span className="dr-log-icon">{kind === undefined ? undefined : icons[kind]}</span>
}
