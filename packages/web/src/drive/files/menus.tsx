// The menus of a row and of the empty ground. The order is constant; entries vanish but never move.
import {
  ArrowClockwise20Regular,
  ArrowDownload20Regular,
  ArrowSort20Regular,
  ArrowUpload20Regular,
  ClipboardPaste20Regular,
  Copy20Regular,
  Cut20Regular,
  Delete20Regular,
  DocumentArrowDown20Regular,
  Eye20Regular,
  FolderAdd20Regular,
  FolderArrowRight20Regular,
  FolderOpen20Regular,
  LinkAdd20Regular,
  Print20Regular,
  Rename20Regular,
} from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { t } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import type { Action, Verdict } from '../actions/actions.ts'
import type { NewKind } from '../actions/operations.ts'
import { reasonText } from '../actions/reasons.ts'
import { FileIcon, FolderIcon } from '../item/file-icon.tsx'

/** What may be done, and how. */
export interface Able {
  readonly verdict: (action: Action) => Verdict
  readonly run: Readonly<Record<Action, () => void>>
}

const looks: Readonly<Record<Action, { icon: ReactNode; hint?: string; danger?: true }>> = {
  open: { icon: <FolderOpen20Regular />, hint: 'Enter' },
  preview: { icon: <Eye20Regular />, hint: 'Space' },
  download: { icon: <ArrowDownload20Regular />, hint: 'Shift+Enter' },
  downloadCompressed: { icon: <DocumentArrowDown20Regular /> },
  print: { icon: <Print20Regular /> },
  cut: { icon: <Cut20Regular />, hint: 'Ctrl+X' },
  copy: { icon: <Copy20Regular />, hint: 'Ctrl+C' },
  move: { icon: <FolderArrowRight20Regular /> },
  link: { icon: <LinkAdd20Regular /> },
  linkHere: { icon: <LinkAdd20Regular /> },
  rename: { icon: <Rename20Regular />, hint: 'F2' },
  arrange: { icon: <ArrowSort20Regular /> },
  delete: { icon: <Delete20Regular />, hint: 'Del', danger: true },
  deleteForGood: { icon: <Delete20Regular />, hint: 'Shift+Del', danger: true },
  upload: { icon: <ArrowUpload20Regular />, hint: 'Ctrl+U' },
  create: { icon: <FolderAdd20Regular />, hint: 'Alt+M' },
  paste: { icon: <ClipboardPaste20Regular />, hint: 'Ctrl+V' },
}

function entry({ verdict, run }: Able, action: Action): MenuEntry[] {
  const { show, enabled, reason } = verdict(action)
  if (!show) return []
  return [
    {
      id: action,
      label: t(`drive.menu.${action}`),
      ...looks[action],
      ...(enabled || reason === undefined ? {} : { disabled: true, reason: reasonText(reason) }),
      run: run[action],
    },
  ]
}

const separator: MenuEntry = { separator: true }

/** The menu of the selected rows. */
export function rowMenu(able: Able): MenuEntry[] {
  // A folder opens, a file previews: one of the two stands for the double click.
  const open = able.verdict('preview').reason === 'wrongKind' ? entry(able, 'open') : []
  return [
    ...open,
    ...entry(able, 'preview'),
    separator,
    ...entry(able, 'download'),
    ...entry(able, 'downloadCompressed'),
    ...entry(able, 'print'),
    separator,
    ...entry(able, 'cut'),
    ...entry(able, 'copy'),
    ...entry(able, 'move'),
    ...entry(able, 'link'),
    ...entry(able, 'rename'),
    separator,
    ...entry(able, 'delete'),
  ]
}

interface EmptyAble extends Able {
  readonly make: (kind: NewKind) => void
  readonly uploadFolder: () => void
  readonly refresh: () => void
}

/** The menu of the ground that holds no row. */
export function emptyMenu(able: EmptyAble): MenuEntry[] {
  return [
    ...uploadMenu(able),
    separator,
    ...newMenu(able),
    ...entry(able, 'linkHere'),
    separator,
    ...entry(able, 'paste'),
    separator,
    ...entry(able, 'arrange'),
    {
      id: 'refresh',
      label: t('drive.menu.refresh'),
      icon: <ArrowClockwise20Regular />,
      hint: 'F5',
      run: able.refresh,
    },
  ]
}

/** Upload of files or of a folder. */
export function uploadMenu(able: Able & { readonly uploadFolder: () => void }): MenuEntry[] {
  return entry(able, 'upload').flatMap((files) => [
    { ...files, label: t('drive.upload.files') },
    { ...files, id: 'uploadFolder', hint: '', label: t('drive.upload.folder'), run: able.uploadFolder },
  ])
}

const newFiles: readonly NewKind[] = ['docx', 'xlsx', 'pptx', 'txt']

/** What can be made new. */
export function newMenu(able: Able & { readonly make: (kind: NewKind) => void }): MenuEntry[] {
  return entry(able, 'create').flatMap((folder) => [
    { ...folder, label: t('drive.new.folder'), icon: <FolderIcon size={16} /> },
    ...newFiles.map((kind) => ({
      ...folder,
      id: kind,
      hint: '',
      label: t(`drive.new.${kind}`),
      icon: <FileIcon ext={kind} size={16} />,
      run: () => able.make(kind),
    })),
  ])
}
