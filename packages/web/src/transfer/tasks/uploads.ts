// From the provided files to a transfer: reports files that are too large, creates folders, and resolves taken names.
import { formatSize } from '@cloudoc/domain'
import { api, mainServer, refusal } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { sessionStore } from '../../core/session/session.ts'
import { preferencesStore } from '../../core/storage/preferences.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { chooseLevels } from '../../items/conditions/choose-levels.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import type { UploadSelection } from '../engine/dropped-files.ts'
import { defaultUploadParams, type UploadParams } from '../engine/task.ts'
import { type Clash, type Decision, planUpload, type UploadTarget } from '../engine/upload-plan.ts'
import { provideFiles, restoreByHandles, transfers } from './transfers.ts'

/** Resolves taken names by the user's preference, otherwise by asking. */
export async function clashPolicies(target: string, clashes: readonly Clash[]): Promise<Decision | undefined> {
  const { clashes: way } = preferencesStore.getState()
  if (way !== '') return { ways: clashes.map(() => way), sameWay: way }
  return openWindow('drive-upload-conflict', { target, clashes: [...clashes] })
}

/** Shows an activity notice for the checks before an upload, while no transfer is visible yet. */
const begins = <T>(asked: Promise<T>): Promise<T> =>
  withProgressToast('drive.uploadBegins', t('drive.uploadBegins'), asked)

/** Uploads the provided files into a folder. */
export async function upload(
  handed: UploadSelection,
  target: UploadTarget,
  uploadType: UploadParams['uploadType'] = 'Button',
  asksForLevel = false,
): Promise<void> {
  if (handed.files.length === 0 && handed.folders.length === 0) {
    // An empty upload is a programming error ([R199]).
    console.error('an upload without files was asked for')
    return
  }
  // A transfer knows its folder by the number on the main server.
  if ((target.serverId ?? mainServer.serverId) !== mainServer.serverId)
    return notifyFailure(refusal('uploadOpen', 'interconnectedServerMissing'))
  try {
    const fitting = await leaveOutOversized(handed)
    if (fitting === undefined) return
    const chosen = await chooseLevels(
      fitting.files.map(({ file }) => file),
      target,
      asksForLevel,
    )
    if (chosen === undefined) return
    const plan = await planUpload(
      fitting,
      target,
      {
        makeFolders: async (folderId, pathList) => {
          const made = await begins(api.of(mainServer).createFolderByPathList({ folderId, pathList }))
          itemsChanged(
            made
              .filter(({ path }) => !path.includes('/'))
              .map((folder) => ({ ...mainServer, fType: 2, fId: folder.folderId })),
            [folderId],
          )
          return made
        },
        taken: (folderId, fileNames) => begins(api.of(mainServer).checkFileExist({ folderId, fileNames })),
      },
      (clashes) => clashPolicies(target.folderName, clashes),
    )
    if (plan === undefined) return
    const { files, sameWay } = plan
    const [first] = files
    if (first === undefined) {
      if (handed.files.length === 0) toast({ kind: 'success', text: t('drive.transfer.foldersMade', target) })
      return
    }
    const { top, isFolder } = topOf(handed, handed.files[0]?.file.name ?? first.name)
    const folderInfo = { ...mainServer, fId: target.folderId, fName: target.folderName }
    // Files with the same level form one task.
    for (const some of groupBy(files, ({ file }) => JSON.stringify(chosen(file))).values()) {
      const [one] = some
      if (one === undefined) continue
      await transfers.add(
        {
          description: describe(some.length === files.length || isFolder ? top : one.name, isFolder, some.length),
          totalSize: some.reduce((sum, { file }) => sum + file.size, 0),
          type: 'upload',
          folderId: target.folderId,
          cloudPath: target.folderName,
          totalFileCount: some.length,
          firstName: some.length === files.length || isFolder ? top : one.name,
          isFolder,
          params: { ...defaultUploadParams, folderInfo, uploadType, ...chosen(one.file) },
          sameFileWay: sameWay ?? '',
        },
        some,
        handed.handles,
      )
    }
  } catch (error) {
    notifyFailure(error)
  }
}

/** Returns the first name and the number of files ([R193]). */
function describe(first: string, isFolder: boolean, count: number): string {
  if (isFolder) return t('drive.transfer.folder', { name: first, n: count })
  return count === 1 ? first : t('drive.transfer.files', { name: first, n: count })
}

function topOf({ folders }: UploadSelection, firstFile: string): { top: string; isFolder: boolean } {
  const tops = folders.filter((path) => !path.includes('/'))
  return tops.length === 1 && tops[0] !== undefined
    ? { top: tops[0], isFolder: true }
    : { top: firstFile, isFolder: false }
}

/** Asks before files above the upload size limit are left out ([R204]). Undefined cancels the whole upload. */
async function leaveOutOversized(handed: UploadSelection): Promise<UploadSelection | undefined> {
  const limit = sessionStore.getState().session?.serverSetting.upload_max_size ?? 0
  const oversized = limit === 0 ? [] : handed.files.filter(({ file }) => file.size > limit)
  if (oversized.length === 0) return handed
  const goOn = await openWindow('drive-oversize', {
    limit: formatSize(limit),
    files: oversized.map(({ file }) => ({ name: file.name, size: file.size })),
    others: handed.files.length - oversized.length,
  })
  const left = new Set(oversized)
  return goOn === true ? { ...handed, files: handed.files.filter((one) => !left.has(one)) } : undefined
}

/** Restores the files of a task from stored handles, otherwise by asking for them. */
export async function restoreFiles(taskId: number): Promise<void> {
  if (await restoreByHandles(taskId, true)) return transfers.restart(taskId)
  const wanted = transfers.missingOf(taskId)
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  if (wanted.some(({ path }) => path.includes('/'))) input.setAttribute('webkitdirectory', '')
  input.onchange = () => {
    const chosen = Array.from(input.files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }))
    void provideFiles(taskId, chosen).then((isComplete) => {
      if (transfers.missingOf(taskId).length < wanted.length) transfers.restart(taskId)
      if (!isComplete) toast({ kind: 'warning', text: t('drive.transfer.notTheSame') })
    })
  }
  input.click()
}
