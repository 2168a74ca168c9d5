// Prints a file of a link as it is shown; comes when somebody prints.
import { printShown } from '../../viewing/print/print.ts'
import { untilMade } from '../../viewing/rendition/wait-for-rendition.ts'
import { contentUrl, look, notePrinted } from './visitor-api.ts'
import '../../viewing/shared/texts.ts'
import '../../viewing/shared/preview.css'

interface Printed {
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
}

export async function printVisited({ fId, fName, fileSize }: Printed): Promise<void> {
  const { form, version, watermark } = await look(fId)
  await printShown({
    ...{ fName, fileSize, watermark, isMade: form === 'view' },
    url: contentUrl(fId, version, form),
    whenMade: () => untilMade(() => look(fId), new AbortController().signal),
    before: () => notePrinted(fId),
  })
}
