// Prints the shown file, where the link allows downloads (ADR 0175).
import { type ReactNode, useState } from 'react'
import { isPrintable } from '../../viewing/shared/printable.ts'
import type { Labels } from './labels.ts'

interface PrintProps {
  readonly file: { readonly fId: number; readonly fName: string; readonly fileSize: number; readonly mayPrint: boolean }
  readonly say: Labels
  readonly onDone: () => void
  readonly onFail: (error: unknown) => void
}

export function PrintButton({ file, say, onDone, onFail }: PrintProps): ReactNode {
  const [busy, setBusy] = useState(false)
  if (!file.mayPrint || !isPrintable(file.fName)) return null
  const print = async (): Promise<void> => {
    setBusy(true)
    try {
      const { printVisited } = await import('./print.ts')
      await printVisited(file)
      onDone()
    } catch (error) {
      onFail(error)
    }
    setBusy(false)
  }
  return (
    <button type="button" className="vi-print" disabled={busy} onClick={() => void print()}>
      {say('print')}
    </button>
  )
}
