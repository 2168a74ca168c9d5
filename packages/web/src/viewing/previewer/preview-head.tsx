// The head of the previewer: the name of the file, and its tools.
import { extNameOf, formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { PreviewFile } from '../../items/actions/preview-file.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import {
  ArrowDownload20Regular,
  Dismiss20Regular,
  FullScreenMaximize20Regular,
  History20Regular,
  Info20Regular,
  Print20Regular,
  Search20Regular,
  ShieldLock20Regular,
} from '../../kit/icons.ts'
import type { InfoTab } from '../info/info-panel.tsx'
import { downloadShown } from './download-shown.ts'
import { PreviewActions } from './preview-actions.tsx'
import type { Printing } from './use-printing.ts'

interface PreviewHeadProps {
  readonly file: PreviewFile
  /** The position of the file, and the number of files. */
  readonly at: number
  readonly total: number
  /** Its actions; they apply only to the newest version. */
  readonly actions: { readonly onRun: (() => void) | undefined } | undefined
  readonly printing: Printing
  readonly isFinding: boolean
  readonly onFind: () => void
  /** The tab of the open info panel. */
  readonly info: InfoTab | undefined
  readonly onInfo: (tab: InfoTab) => void
  readonly onFullScreen: () => void
  readonly onLeave: () => void
}

export function PreviewHead({ file, at, total, actions, printing, info, onInfo, ...on }: PreviewHeadProps): ReactNode {
  const t = useT()
  return (
    <header className="pv-head">
      <FileIcon ext={extNameOf(file.fName)} />
      <b className="pv-name" title={file.fName}>
        {file.fName}
      </b>
      <span className="pv-size">
        {[formatSize(file.fileSize), file.version !== undefined && t('drive.info.version', { n: file.version })]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span className="pv-count">{t('drive.preview.nth', { n: at + 1, total })}</span>
      <span className="pv-tools">
        {printing.isSecure && (
          <span className="pv-secure" title={t('drive.preview.secureWhy')}>
            <ShieldLock20Regular /> {t('drive.preview.secure')}
          </span>
        )}
        <Tool label={t('drive.preview.find')} hint="Ctrl+F" isPressed={on.isFinding} onClick={on.onFind}>
          <Search20Regular />
        </Tool>
        {actions !== undefined && <PreviewActions key={file.fId} file={file} onRun={actions.onRun} />}
        {file.canDownload && (
          <Tool label={t('drive.download')} onClick={() => void downloadShown(file).catch(notifyFailure)}>
            <ArrowDownload20Regular />
          </Tool>
        )}
        {printing.isAllowed && (
          <Tool
            label={t('drive.print')}
            hint="Ctrl+P"
            isDisabled={printing.isBusy}
            onClick={() => void printing.print()}
          >
            <Print20Regular />
          </Tool>
        )}
        <Tool
          label={t('drive.preview.history')}
          letter="H"
          isPressed={info === 'versions'}
          onClick={() => onInfo('versions')}
        >
          <History20Regular />
        </Tool>
        <Tool
          label={t('drive.info')}
          letter="I"
          isPressed={info !== undefined && info !== 'versions'}
          onClick={() => onInfo('details')}
        >
          <Info20Regular />
        </Tool>
        <Tool label={t('drive.preview.full')} letter="F" onClick={on.onFullScreen}>
          <FullScreenMaximize20Regular />
        </Tool>
        <i className="pv-line" />
        <Tool label={t('drive.close')} onClick={on.onLeave}>
          <Dismiss20Regular />
        </Tool>
      </span>
    </header>
  )
}

interface ToolProps {
  readonly label: string
  /** Its key, as shown; a letter alone clicks the button. */
  readonly hint?: string
  readonly letter?: string
  readonly isPressed?: boolean
  readonly isDisabled?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Tool({ label, letter, hint = letter, isPressed, isDisabled, onClick, children }: ToolProps): ReactNode {
  return (
    <button
      type="button"
      className="pv-button"
      title={hint === undefined ? label : `${label} (${hint})`}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      data-key={letter?.toLowerCase()}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
