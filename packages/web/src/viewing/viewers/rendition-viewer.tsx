// What the server makes of a file: waited for as long as it takes, then shown by the stage of its kind.
import type { Pages, PdfCopy, Picture, PlainText, Rendition } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { coming } from '../../kit/lazy-component.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type EntryProps, ListingStage } from '../archive/listing-viewer.tsx'
import type { ShownPicture } from '../info/info-panel.tsx'
import type { ArchiveAccess } from '../rendition/archive-access.ts'
import { growPages, type OpenRendition, openRendition } from '../rendition/rendition.ts'
import { heldMs, NotMade, untilMade } from '../rendition/wait-for-rendition.ts'
import { FlowStage } from './flow-viewer.tsx'
import { ImageStage } from './image-viewer.tsx'
import { MailStage } from './mail-viewer.tsx'
import { type PagesProps, PagesStage } from './pages-viewer.tsx'
import { SheetsStage } from './sheets-viewer.tsx'
import { SlidesStage } from './slides-viewer.tsx'
import '../rendition/rendition.css'

const PdfStage = coming(() => import('../pdf/pdf-viewer.tsx').then((module) => module.PdfStage), <Spinner />)

const CodeStage = coming(() => import('./code-viewer.tsx').then((module) => module.CodeStage), <Spinner />)

interface RenditionStageProps {
  readonly url: string
  readonly previewKey: string
  /** How far it is, for those who ask another way than people with an account do. */
  readonly status?: (
    signal: AbortSignal,
  ) => Promise<{ readonly state: number; readonly percent: number; readonly msg: string; readonly pages: number }>
  readonly name: string
  readonly onShown?: (() => void) | undefined
  /** Hears of a picture what is known of it. */
  readonly onPicture?: ((picture: ShownPicture) => void) | undefined
  /** Also with the number of why it cannot be shown. */
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
  /** For whoever may have the archive that is shown. */
  readonly archive?: ArchiveAccess | undefined
}

/** Shows a rendition. */
export function RenditionStage(props: RenditionStageProps): ReactNode {
  const { url, previewKey, status, name, onShown, onPicture, onFail, onRefused, archive } = props
  const [percent, setPercent] = useState<number>()
  const [shown, setShown] = useState<Omit<DrawnProps, 'name' | 'onFail' | 'onRefused' | 'archive'>>()
  const [pages, setPages] = useState<PagesProps>()
  const fail = useEffectEvent(onFail)
  const refuse = useEffectEvent(onRefused)
  const tell = useEffectEvent(({ body }: OpenRendition) => {
    onShown?.()
    if (body.kind === 'picture') onPicture?.(body)
  })
  const ask = useEffectEvent((signal: AbortSignal, had: number) =>
    status === undefined
      ? api.getPreviewStatus({ previewKey, wait: heldMs, had }, { quiet: true, signal })
      : status(signal),
  )
  const isHeld = useEffectEvent(() => status === undefined)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const growing = growPages(url)
    const open = async (): Promise<void> => {
      let had = 0
      await untilMade(
        () => ask(signal, had),
        signal,
        async (answer) => {
          setPercent(answer.percent)
          had = answer.pages
          // What does not come now comes with the next ones, or with the whole.
          const some = await growing.take(answer.pages).catch(() => undefined)
          if (some !== undefined && !signal.aborted) setPages({ pages: some, rendition: growing })
        },
        isHeld(),
      )
      const made = await openRendition(url)
      const body = growing.end(made)
      if (signal.aborted) return growing.close()
      if (body.kind === 'pages') setPages({ pages: body, rendition: growing })
      else setShown({ body, rendition: made })
      tell(made)
    }
    open().catch((error: unknown) => {
      if (signal.aborted) return
      if (error instanceof NotMade) refuse(error.state, error.message)
      else fail(error)
    })
    return () => {
      leaving.abort()
      growing.close()
    }
  }, [url, previewKey])

  if (shown === undefined) return pages === undefined ? <Waiting percent={percent} /> : <PagesStage {...pages} />
  return <Drawn {...shown} name={name} onFail={onFail} onRefused={onRefused} archive={archive} />
}

/** Told only where it takes a moment. */
function Waiting({ percent }: { readonly percent: number | undefined }): ReactNode {
  const t = useT()
  if (percent === undefined) return <Spinner />
  return (
    <div className="pv-unable rd-waiting" role="status">
      <span className="rd-waiting-page" />
      <h2>
        {t('drive.preview.converting')} {percent > 0 && `${percent}%`}
      </h2>
      <progress max={100} value={percent > 0 ? percent : undefined} aria-label={t('drive.preview.converting')} />
      <p>{t('drive.preview.convertedOnce')}</p>
    </div>
  )
}

interface DrawnProps {
  readonly body: Exclude<Rendition, Pages>
  readonly rendition: OpenRendition
  readonly name: string
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
  readonly archive: ArchiveAccess | undefined
}

/** It is there already. */
export const made = () => Promise.resolve({ state: codes.success.code, percent: 100, msg: '', pages: 0 })

/** A file in an archive. */
function EntryStage(props: EntryProps): ReactNode {
  return <RenditionStage {...props} previewKey={props.url} status={made} />
}

function Drawn({ body, rendition, name, onFail, onRefused, archive }: DrawnProps): ReactNode {
  switch (body.kind) {
    case 'flow':
      return <FlowStage flow={body} rendition={rendition} />
    case 'sheets':
      return <SheetsStage book={body} rendition={rendition} onFail={onFail} />
    case 'slides':
      return <SlidesStage deck={body} rendition={rendition} />
    case 'listing':
      return (
        <ListingStage
          listing={body}
          name={name}
          access={archive}
          Entry={EntryStage}
          onFail={onFail}
          onRefused={onRefused}
        />
      )
    case 'mail':
      return <MailStage mail={body} rendition={rendition} />
    case 'text':
      return <TextPart rendition={rendition} body={body} onFail={onFail} />
    case 'picture':
      return <PicturePart rendition={rendition} body={body} name={name} onFail={onFail} />
    case 'pdf':
      return <PdfPart rendition={rendition} body={body} onFail={onFail} />
  }
}

interface PartProps<B> {
  readonly rendition: OpenRendition
  readonly body: B
  readonly onFail: (error: unknown) => void
}

/** A part of a rendition, once it has come. */
function usePart(
  read: (part: number) => Promise<string>,
  part: number,
  onFail: (error: unknown) => void,
): string | undefined {
  const [found, setFound] = useState<string>()
  useEffect(() => {
    read(part).then(setFound, onFail)
  }, [read, part, onFail])
  return found
}

function TextPart({ rendition, body, onFail }: PartProps<PlainText>): ReactNode {
  const text = usePart(rendition.text, body.part, onFail)
  return text === undefined ? <Spinner /> : <CodeStage text={text} ext={body.language} />
}

function PicturePart({ rendition, body, name, onFail }: PartProps<Picture> & { readonly name: string }): ReactNode {
  const url = usePart(rendition.address, body.part, onFail)
  return url === undefined ? (
    <Spinner />
  ) : (
    <ImageStage url={url} name={name} mostFit={1} onFail={() => onFail(undefined)} />
  )
}

function PdfPart({ rendition, body, onFail }: PartProps<PdfCopy>): ReactNode {
  const url = usePart(rendition.address, body.part, onFail)
  return url === undefined ? <Spinner /> : <PdfStage url={url} onFail={onFail} />
}
