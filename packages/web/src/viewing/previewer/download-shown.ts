import type { PreviewFile } from '../../items/actions/preview-file.ts'
import { download, downloadVersion } from '../../transfer/tasks/download.ts'

/** Downloads the shown file or version. */
export function downloadShown({ version, ...file }: PreviewFile): Promise<void> {
  const item = { fType: 1, ...file } as const
  return version === undefined ? download([item]) : downloadVersion(item, version)
}
