// Shows the pictures of a conversation one at a time, in every skin on a dark ground ([R301]).

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  ArrowDownload20Regular,
  ChevronLeft24Regular,
  ChevronRight24Regular,
  Dismiss20Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { ChatWatermark } from '../parts/chat-watermark.tsx'
import { saveFile, usePicture } from '../state/pictures.ts'
import '../parts/talk.css'
import './windows.css'

export interface PicturesProps {
  readonly conversationId: number
  readonly number: number
}

function Picture({
  conversationId,
  fileId,
  name,
}: {
  readonly conversationId: number
  readonly fileId: number
  readonly name: string
}): ReactNode {
  const t = useT()
  const { url, reason, retry } = usePicture({ conversationId, fileId })
  if (reason !== undefined)
    return (
      <p>
        {reason || t('im.img.failed')}
        <Button kind="link" onClick={retry}>
          {t('app.retry')}
        </Button>
      </p>
    )
  if (url === undefined) return <Spinner label={t('im.loading')} />
  return <img src={url} alt={name} />
}

/** Walks through the pictures of a conversation. */
export function PicturesWindow({ conversationId, number, close }: WindowProps<PicturesProps>): ReactNode {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const { data, error } = useQuery({
    queryKey: ['im-pictures', conversationId],
    staleTime: 0,
    queryFn: () => api.imShares({ conversationId, kind: 'img' }),
  })
  // Oldest first, as in the conversation.
  const pictures = [...(data?.list ?? [])].reverse()
  const [shown, setShown] = useState(number)
  useEffect(() => box.current?.focus(), [])
  const at = pictures.findIndex((one) => one.number === shown)
  const current = pictures[at]
  const step = (by: number): void => {
    const next = pictures[at + by]
    if (next !== undefined) setShown(next.number)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by !== undefined) step(by)
    else if (event.key === 'Escape') close()
  }
  const name = current?.data.name ?? ''
  return (
    <div ref={box} className="im-viewer" tabIndex={-1} onKeyDown={onKeyDown}>
      <header>
        <bdi>{name}</bdi>
        {pictures.length > 0 && <span>{t('im.img.at', { n: at + 1, of: pictures.length })}</span>}
        <span className="im-head-ways">
          {current !== undefined && (
            <IconButton
              label={t('im.download')}
              icon={<ArrowDownload20Regular />}
              onClick={() => void saveFile({ conversationId, fileId: current.fileId }, name)}
            />
          )}
          <IconButton label={t('im.cancel')} icon={<Dismiss20Regular />} onClick={() => close()} />
        </span>
      </header>
      <div className="im-viewer-body">
        <IconButton
          label={t('im.img.prev')}
          icon={<ChevronLeft24Regular />}
          disabled={at <= 0}
          onClick={() => step(-1)}
        />
        <div>
          {current === undefined ? (
            <p>{error?.message ?? (data === undefined ? t('im.loading') : t('im.img.failed'))}</p>
          ) : (
            <Picture key={current.number} conversationId={conversationId} fileId={current.fileId} name={name} />
          )}
          <ChatWatermark />
        </div>
        <IconButton
          label={t('im.img.next')}
          icon={<ChevronRight24Regular />}
          disabled={at < 0 || at >= pictures.length - 1}
          onClick={() => step(1)}
        />
      </div>
    </div>
  )
}
