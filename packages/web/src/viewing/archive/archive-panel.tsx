// The side panel of an archive listing: details of the selected file, its picture if it is one, and the actions.
import { documentKind, extNameOf, formatSize, fullTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { Info16Regular } from '../../kit/icons.ts'
import type { ArchiveAccess, DecodedEntry } from '../rendition/archive-access.ts'
import { openRendition } from '../rendition/rendition.ts'

interface ArchivePanelProps {
  readonly entry: DecodedEntry
  readonly access: ArchiveAccess
  /** Whether the server can extract it. */
  readonly isTaken: boolean
}

export function ArchivePanel({ entry, access, isTaken }: ArchivePanelProps): ReactNode {
  const t = useT()
  const [size, setSize] = useState('')
  const steps = entry.path.split('/')
  const name = steps.pop() ?? ''
  const packed = entry.packed > 0 || entry.size === 0 ? formatSize(entry.packed) : ''
  const facts: readonly (readonly [string, string])[] = [
    [t('drive.preview.entryBoth'), packed === '' ? '' : `${formatSize(entry.size)} → ${packed}`],
    [t('drive.preview.entryTime'), entry.modified > 0 ? fullTime(entry.modified) : ''],
    [t('drive.preview.entrySum'), entry.crc === undefined ? '' : entry.crc.toString(16).toUpperCase().padStart(8, '0')],
    [t('drive.info.place'), steps.map(isolated).join(' / ')],
  ]
  const isPicture = isTaken && documentKind(extNameOf(name)) === 'picture'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
    <aside className="rd-side" aria-label={t('drive.preview.entryFacts')} tabIndex={0}>
      {isPicture && <SidePicture key={entry.path} entry={entry} access={access} onSize={setSize} />}
      <h3>{name}</h3>
      <p className="rd-side-size">
        {[formatSize(entry.size), size, entry.encrypted && t('drive.preview.entryLocked')].filter(Boolean).join(' · ')}
      </p>
      {isTaken && (
        <span className="rd-entry-tools">
          <button type="button" className="pv-wide is-main" onClick={() => access.download(entry)}>
            {t('drive.preview.entryTake')}
          </button>
          <button type="button" className="pv-wide" onClick={() => access.save(entry)}>
            {t('drive.preview.entrySave')}
          </button>
        </span>
      )}
      <dl>
        {facts.map(([title, value]) =>
          value === '' ? null : (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {isTaken && (
        <p className="rd-side-note">
          <Info16Regular /> {t('drive.preview.saveHint')}
        </p>
      )}
    </aside>
  )
}

interface SidePictureProps {
  readonly entry: DecodedEntry
  readonly access: ArchiveAccess
  readonly onSize: (size: string) => void
}

/** The picture once the server has extracted it; nothing if this fails. */
function SidePicture({ entry, access, onSize }: SidePictureProps): ReactNode {
  const [url, setUrl] = useState<string>()
  const open = useEffectEvent(() => access.open(entry))
  const told = useEffectEvent(onSize)
  useEffect(() => {
    let gone = false
    let close = (): void => undefined
    const show = async (): Promise<void> => {
      const address = await open()
      close = () => URL.revokeObjectURL(address)
      if (gone) return close()
      const rendition = await openRendition(address)
      close = () => {
        rendition.close()
        URL.revokeObjectURL(address)
      }
      if (gone || rendition.body.kind !== 'picture') return close()
      const { part, width, height } = rendition.body
      const picture = await rendition.address(part)
      if (gone) return
      told(`${width} × ${height}`)
      setUrl(picture)
    }
    show().catch(() => undefined)
    return () => {
      gone = true
      close()
      told('')
    }
  }, [])
  return <span className="rd-side-picture">{url !== undefined && <img src={url} alt="" />}</span>
}
