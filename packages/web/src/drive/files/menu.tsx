// The menu actions of the folder page itself: opening, creating, changing the view, navigating.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { goBack, goForward } from '../../core/page/navigation-history.ts'
import { rules } from '../../items/actions/actions.ts'
import { flatLists, type ItemAction } from '../../items/actions/item-action.tsx'
import type { NewKind } from '../../items/actions/operations.ts'
import type { LevelPage } from '../../items/conditions/menu.tsx'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { isFolder } from '../../items/item/item.ts'
import { refreshDrive } from '../../items/lists/lists.ts'
import { ArrowClockwise20Regular, ArrowSort20Regular, FolderOpen20Regular } from '../../kit/icons.ts'
import type { UploadFields } from '../../transfer/tasks/menu.tsx'
import { type ViewMode, viewModes } from './grid/view-mode.ts'

/** The interface that the page of a folder offers to the actions of its list. */
export interface FolderPage extends UploadFields, LevelPage {
  readonly open: (item: ItemRecord) => void
  readonly preview: (item: ItemRecord) => void
  readonly rename: (item: ItemRecord) => void
  readonly make: (kind: NewKind) => void
  readonly arrange: () => void
  readonly goUp: () => void
  readonly show: (mode: ViewMode) => void
  readonly togglePanel: () => void
  readonly typePath: () => void
  readonly filter: () => void
}
type PageAction = ItemAction<FolderPage>

const page = { modules: ['files'], on: 'page', anywhere: true } as const
const ways = { ...page, help: 'ways' } as const

export const open: PageAction = {
  ...rules.open,
  id: 'open',
  linked: true,
  modules: ['files'],
  on: 'items',
  label: 'drive.menu.open',
  icon: <FolderOpen20Regular />,
  keys: ['Enter'],
  help: 'acts',
  answers: ({ length }) => length === 1,
  // The menu of a folder has "open", the menu of a file has "preview". Each is the action of the double click.
  menu: { group: 'open', place: 10, of: isFolder },
  run: ({ items: [item], page: { open: openItem } }) => item && openItem(item),
}

export const create: PageAction = {
  ...rules.create,
  id: 'create',
  linked: true,
  modules: ['files'],
  on: 'folder',
  label: 'drive.menu.create',
  icon: <FolderIcon size={16} />,
  keys: ['Alt+M'],
  anywhere: true,
  help: 'acts',
  menu: { group: 'new', place: 10, label: 'drive.new.folder' },
  tool: 'new',
  find: true,
  run: ({ page: { make } }) => make('folder'),
}

const newFiles: readonly Exclude<NewKind, 'folder'>[] = ['docx', 'xlsx', 'pptx', 'txt', 'md']
export const createFiles: readonly PageAction[] = newFiles.map((kind, i) => ({
  ...rules.create,
  id: kind,
  modules: ['files'],
  on: 'folder',
  label: `drive.new.${kind}`,
  icon: <FileIcon ext={kind} size={16} />,
  menu: { group: 'new', place: 20 + i },
  tool: 'new',
  run: ({ page: { make } }) => make(kind),
}))

export const arrange: PageAction = {
  ...rules.arrange,
  id: 'arrange',
  modules: ['files'],
  on: 'folder',
  label: 'drive.menu.arrange',
  icon: <ArrowSort20Regular />,
  menu: { group: 'view', place: 10 },
  run: ({ page: { arrange: ask } }) => ask(),
}

export const panel: PageAction = {
  ...page,
  id: 'panel',
  label: 'drive.info',
  keys: ['Alt+P'],
  help: 'acts',
  find: true,
  run: ({ page: { togglePanel } }) => togglePanel(),
}

export const up: PageAction = {
  ...ways,
  id: 'up',
  label: 'drive.up',
  keys: ['Alt+↑'],
  run: ({ page: { goUp } }) => goUp(),
}
export const back: PageAction = { ...ways, id: 'back', label: 'drive.back', keys: ['Alt+←', 'Backspace'], run: goBack }
export const forward: PageAction = { ...ways, id: 'forward', label: 'drive.forward', keys: ['Alt+→'], run: goForward }
export const path: PageAction = {
  ...ways,
  id: 'path',
  label: 'drive.path.type',
  keys: ['Alt+D', 'Ctrl+L'],
  find: true,
  run: ({ page: { typePath } }) => typePath(),
}
export const filter: ItemAction<Pick<FolderPage, 'filter'>> = {
  ...ways,
  modules: ['files', ...flatLists],
  id: 'filter',
  label: 'drive.filter',
  keys: ['Ctrl+F', 'F3'],
  run: ({ page: { filter: type } }) => type(),
}
export const refresh: ItemAction = {
  ...ways,
  modules: ['files', ...flatLists],
  id: 'refresh',
  label: 'drive.menu.refresh',
  icon: <ArrowClockwise20Regular />,
  keys: ['F5'],
  menu: { group: 'view', place: 20 },
  find: true,
  run: refreshDrive,
}
export const views: readonly PageAction[] = viewModes.map((mode, i) => ({
  ...ways,
  id: mode,
  label: `drive.view.${mode}`,
  keys: [`Alt+${i + 1}`],
  find: () => `${t('drive.view')}: ${t(`drive.view.${mode}`)}`,
  run: ({ page: { show } }) => show(mode),
}))
