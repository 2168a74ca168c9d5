// The notice after a note has been added.
import type { ReactNode } from 'react'
import type { WindowProps } from '../core/windows/index.ts'

export function Stuck({ fileName }: WindowProps<{ readonly fileName: string }>): ReactNode {
  return <p>{fileName}</p>
}
