// Prints a file of a link as it is shown. Loaded on first use.
import { printPreview } from '../../viewing/print/print.ts'
import { waitForRendition } from '../../viewing/rendition/wait-for-rendition.ts'
import { contentUrl, loadPreview, recordPrint } from './visitor-api.ts'
import '../../viewing/shared/texts.ts'
import '../../viewing/shared/preview.css'

interface Printed {
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
}

export async function printVisited({ fId, fName, fileSize }: Printed): Promise<void> {
  const { form, version, watermark } = await loadPreview(fId)
  await printPreview({
    ...{ fName, fileSize, watermark, isMade: form === 'view' },
    url: contentUrl(fId, version, form),
    whenMade: () => waitForRendition(() => loadPreview(fId), new AbortController().signal),
    before: () => recordPrint(fId),
  })
}
