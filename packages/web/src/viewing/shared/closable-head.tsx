import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Dismiss20Regular } from '../../kit/icons.ts'

interface ClosableHeadProps {
  readonly ext: string
  readonly name: ReactNode
  readonly size: string | undefined
  readonly close: () => void
}

/** The head of a viewer that shows one file and can only be closed. */
export function ClosableHead({ ext, name, size, close }: ClosableHeadProps): ReactNode {
  const t = useT()
  return (
    <header className="pv-head">
      <FileIcon ext={ext} />
      <b className="pv-name">{name}</b>
      <span className="pv-size">{size}</span>
      <span />
      <span className="pv-tools">
        <button
          type="button"
          className="pv-button"
          title={t('drive.close')}
          aria-label={t('drive.close')}
          onClick={() => close()}
        >
          <Dismiss20Regular />
        </button>
      </span>
    </header>
  )
}
