// Download and upload actions.

import { sessionStore } from '../../core/session/session.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ActionSource, type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { notifyFailure } from '../../items/actions/operations.ts'
import {
  ArrowDownload20Regular,
  ArrowUpload20Regular,
  DocumentArrowDown20Regular,
  FolderArrowUp20Regular,
} from '../../kit/icons.ts'
import { download, downloadCompressed, downloadMarked, exportFolders as exportAll } from './download.ts'

/** The file inputs of the browser for files and folders. */
export interface UploadFields {
  /**
   * Opens the file dialog. `asksForLevel`: also asks for the secret levels of the files, where levels are in use
   * ([R234]).
   */
  readonly chooseFiles: (by: ActionSource, asksForLevel?: boolean) => void
  readonly chooseFolder: (by: ActionSource) => void
}

export const downloadItems: ItemAction = {
  ...rules.download,
  id: 'download',
  linked: true,
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.download',
  icon: <ArrowDownload20Regular />,
  keys: ['Shift+Enter'],
  help: 'acts',
  menu: { group: 'save', place: 10 },
  tool: 'button',
  find: true,
  run: ({ withAll }) => withAll(download),
}

export const downloadSmaller: ItemAction = {
  ...rules.downloadCompressed,
  id: 'downloadCompressed',
  linked: true,
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.downloadCompressed',
  icon: <DocumentArrowDown20Regular />,
  menu: { group: 'more', place: 12 },
  run: ({ items: [file] }) => file && downloadCompressed(file).catch(notifyFailure),
}

/** Offered where the server makes PDFs; whether that of a linked server does is not known here. */
export const downloadAsPdf: ItemAction = {
  ...rules.downloadPdf,
  id: 'downloadPdf',
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.downloadPdf',
  icon: <DocumentArrowDown20Regular />,
  menu: { group: 'more', place: 13 },
  show: () => sessionStore.getState().session?.serverSetting.makes_pdf === true,
  run: ({ withAll }) => withAll(async (all) => (await import('./pdf-downloads.ts')).downloadAsPdfs(all)),
}

export const downloadWithMark: ItemAction = {
  ...rules.downloadMarked,
  id: 'downloadMarked',
  linked: true,
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.downloadMarked',
  icon: <DocumentArrowDown20Regular />,
  menu: { group: 'more', place: 14 },
  run: ({ items: [file] }) => file && downloadMarked(file).catch(notifyFailure),
}

export const exportFolders: ItemAction = {
  ...rules.exportFolder,
  id: 'exportFolder',
  linked: true,
  modules: itemLists,
  on: 'items',
  label: 'drive.menu.exportFolder',
  icon: <FolderArrowUp20Regular />,
  menu: { group: 'more', place: 16 },
  run: ({ withAll }) => withAll((all) => exportAll(all).catch(notifyFailure)),
}

export const uploadFiles: ItemAction<UploadFields> = {
  ...rules.upload,
  id: 'upload',
  modules: ['files'],
  on: 'folder',
  label: 'drive.menu.upload',
  icon: <ArrowUpload20Regular />,
  keys: ['Ctrl+U'],
  anywhere: true,
  help: 'acts',
  menu: { group: 'upload', place: 10, label: 'drive.upload.files' },
  tool: 'upload',
  find: true,
  run: ({ page, by }) => page.chooseFiles(by),
}

export const uploadFolder: ItemAction<UploadFields> = {
  ...rules.upload,
  id: 'uploadFolder',
  modules: ['files'],
  on: 'folder',
  label: 'drive.upload.folder',
  icon: <ArrowUpload20Regular />,
  menu: { group: 'upload', place: 20 },
  tool: 'upload',
  run: ({ page, by }) => page.chooseFolder(by),
}
