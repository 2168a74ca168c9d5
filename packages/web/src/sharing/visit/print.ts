// Prints a file of a link as it is shown; comes when somebody prints.
import { printShown } from '../../viewing/preview/print.ts'
import { untilMade } from '../../viewing/preview/until-made.ts'
import { contentUrl, look, notePrinted } from './call.ts'
import '../../viewing/preview/words.ts'
import '../../viewing/preview/preview.css'

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
