// Shows a file of an application to whoever decides: under the watermark of the applicant, also without a right to it.
import type { ApplicationItem } from '@cloudoc/contract'
import { mainServer } from '../../core/call/api.ts'
import { openWindow } from '../../core/windows/index.ts'

export function lookAtReviewed(
  { itemId, fName, fileSize, version }: Pick<ApplicationItem, 'itemId' | 'fName' | 'fileSize' | 'version'>,
  reviewId: number,
): void {
  void openWindow('previewer', {
    fileInfo: {
      ...{ ...mainServer, fId: itemId, fName, fileSize, canPreview: true, canDownload: false, canPrint: false },
      ...{ version, reviewId },
    },
    isUseVersion: true,
  })
}
