// Printing the file in the previewer.
import { type RefObject, useState } from 'react'
import { useSession } from '../../core/session/session.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { PreviewFile } from '../../items/actions/preview-file.ts'
import { printFile } from '../print/print.ts'
import { isPrintable } from '../shared/printable.ts'

export interface Printing {
  /** The file can only be looked at. */
  readonly isSecure: boolean
  readonly isAllowed: boolean
  readonly isBusy: boolean
  readonly print: () => Promise<void>
}

export function usePrinting(file: PreviewFile | undefined, root: RefObject<HTMLElement | null>): Printing {
  const [isBusy, setBusy] = useState(false)
  const { security_preview } = useSession().setting
  const isSecure = file !== undefined && security_preview && file.canPreview && !file.canDownload
  return {
    isSecure,
    isAllowed: file !== undefined && file.canPreview && file.canPrint && isPrintable(file.fName) && !isSecure,
    isBusy,
    async print() {
      if (file === undefined) return
      setBusy(true)
      await printFile(file).catch(notifyFailure)
      setBusy(false)
      // The button was disabled during printing and has lost the focus.
      if (root.current?.contains(document.activeElement) !== true) root.current?.focus()
    },
  }
}
