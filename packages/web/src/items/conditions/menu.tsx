// Menu actions for conditions beyond rights: secret level, read-only folders, restricted documents.
import { closedToLinks } from '@cloudoc/domain'
import { openWindow } from '../../core/windows/index.ts'
import {
  Link20Regular,
  LinkDismiss20Regular,
  LockClosed20Regular,
  LockOpen20Regular,
  Shield20Regular,
  ShieldLock20Regular,
} from '../../kit/icons.ts'
import { rules } from '../actions/actions.ts'
import { type ActionSource, type ItemAction, itemLists } from '../actions/item-action.tsx'
import { isLink } from '../item/item.ts'

/** What the page of a folder offers to users who choose a level before uploading or creating. */
export interface LevelPage {
  readonly uploadWithLevel: (by: ActionSource) => void
  readonly makeWithLevel: () => void
}

const files = { modules: itemLists } as const

const secret: ItemAction = {
  ...rules.setSecret,
  ...files,
  id: 'secret',
  on: 'items',
  label: 'drive.menu.secret',
  icon: <Shield20Regular />,
  show: (item) => !isLink(item),
  menu: { group: 'safety', place: 60 },
  find: true,
  run: ({ withAll }) => withAll((items) => openWindow('cloudoc-secret', { items })),
}

const readOnly: ItemAction = {
  ...rules.setReadOnly,
  ...files,
  id: 'read-only',
  on: 'items',
  label: 'drive.menu.readOnly',
  icon: <LockClosed20Regular />,
  show: (item) => !isLink(item),
  menu: { group: 'safety', place: 61 },
  find: true,
  run: ({ withAll }) => withAll((items) => openWindow('drive-read-only', { items })),
}

const restrict: ItemAction = {
  ...rules.restrict,
  ...files,
  id: 'restrict',
  on: 'items',
  label: 'drive.menu.restrict',
  icon: <ShieldLock20Regular />,
  show: (item) => !isLink(item) && (item.docFlag & 1) === 0,
  menu: { group: 'safety', place: 62 },
  find: true,
  run: ({ withAll }) => withAll(async (items) => (await import('./operations.ts')).setRestricted(items, true)),
}

const unrestrict: ItemAction = {
  ...rules.restrict,
  ...files,
  id: 'unrestrict',
  on: 'items',
  label: 'drive.menu.unrestrict',
  icon: <LockOpen20Regular />,
  show: (item) => !isLink(item) && (item.docFlag & 1) !== 0,
  menu: { group: 'safety', place: 62 },
  find: true,
  run: ({ withAll }) => withAll(async (items) => (await import('./operations.ts')).setRestricted(items, false)),
}

const closeToLinks: ItemAction = {
  ...rules.closeToLinks,
  ...files,
  id: 'close-to-links',
  on: 'items',
  label: 'drive.menu.closeToLinks',
  icon: <LinkDismiss20Regular />,
  show: (item) => !isLink(item) && (item.docFlag & closedToLinks) === 0,
  menu: { group: 'safety', place: 63 },
  find: true,
  run: ({ withAll }) => withAll(async (items) => (await import('./operations.ts')).setClosedToLinks(items, true)),
}

const openToLinks: ItemAction = {
  ...rules.closeToLinks,
  ...files,
  id: 'open-to-links',
  on: 'items',
  label: 'drive.menu.openToLinks',
  icon: <Link20Regular />,
  show: (item) => !isLink(item) && (item.docFlag & closedToLinks) !== 0,
  menu: { group: 'safety', place: 63 },
  find: true,
  run: ({ withAll }) => withAll(async (items) => (await import('./operations.ts')).setClosedToLinks(items, false)),
}

const uploadSecret: ItemAction<LevelPage> = {
  ...rules.uploadSecret,
  modules: ['files'],
  id: 'uploadSecret',
  on: 'folder',
  label: 'drive.menu.uploadSecret',
  icon: <Shield20Regular />,
  menu: { group: 'upload', place: 30 },
  tool: 'upload',
  run: ({ page, by }) => page.uploadWithLevel(by),
}

const createSecret: ItemAction<LevelPage> = {
  ...rules.uploadSecret,
  modules: ['files'],
  id: 'createSecret',
  on: 'folder',
  label: 'drive.menu.createSecret',
  icon: <Shield20Regular />,
  menu: { group: 'new', place: 40 },
  tool: 'new',
  run: ({ page }) => page.makeWithLevel(),
}

export const conditionMenu = [
  secret,
  readOnly,
  restrict,
  unrestrict,
  closeToLinks,
  openToLinks,
  uploadSecret,
  createSecret,
]
