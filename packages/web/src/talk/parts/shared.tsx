// What a message carries beside text: pictures, files, cards of drive items, links, merged records.
import type { Answer, calls, TalkMessage } from '@cloudoc/contract'
import {
  codes,
  codeText,
  documentKind,
  extNameOf,
  formatItemIdStr,
  formatSize,
  fullTime,
  groupRights,
  hasRight,
  rights,
  shortName,
  splitName,
} from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, mainServer, streamUrl } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { currentLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { Link20Regular, LockClosed20Regular } from '../../kit/icons.ts'
import { sendMessage } from '../state/outbox.ts'
import { boxed, saveFile, usePicture } from '../state/pictures.ts'

type Card = Answer<(typeof calls)['imCards']>['list'][number]

/** Reads the cards that are asked for at the same moment in one call. */
const waiting = new Map<string, Asked>()
/** The items of one call. */
const mostCards = 100

interface Asked extends PromiseWithResolvers<Card | undefined> {
  readonly fType: 1 | 2
  readonly fId: number
}

/** The card of an item; undefined if the reader cannot see it. Fails if the server does not answer. */
export function cardOf(fType: 1 | 2, fId: number): Promise<Card | undefined> {
  const key = `${fType} ${fId}`
  const known = waiting.get(key)
  if (known !== undefined) return known.promise
  if (waiting.size === 0) setTimeout(readCards, 20)
  const asked = { fType, fId, ...Promise.withResolvers<Card | undefined>() }
  waiting.set(key, asked)
  return asked.promise
}

function readCards(): void {
  const asked = [...waiting.values()]
  waiting.clear()
  for (let at = 0; at < asked.length; at += mostCards) void readSome(asked.slice(at, at + mostCards))
}

async function readSome(asked: readonly Asked[]): Promise<void> {
  try {
    const items = asked.map(({ fType, fId }) => ({ fType, fId }))
    const { list } = await api.imCards({ items }, { quiet: true })
    for (const { fType, fId, resolve } of asked) resolve(list.find((one) => one.fType === fType && one.fId === fId))
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

/** Reads all shown cards again: rights may have changed. */
export function refetchCards(): void {
  void queryClient.invalidateQueries({ queryKey: ['im-card'] })
}

/** A picture within the box of conversations; a click shows all pictures of the conversation. */
export function PictureMessage({ message }: { readonly message: TalkMessage }): ReactNode {
  const t = useT()
  const { data, conversationId, fileId, number } = message
  const { url, reason, retry } = usePicture({ conversationId, fileId }, true)
  const size = boxed(data)
  if (data.expired === true)
    return (
      <span className="im-picture is-gone" style={size}>
        {t('im.expired')}
      </span>
    )
  // It may open later, as after its inspection.
  if (reason !== undefined)
    return (
      <button type="button" className="im-picture is-gone" style={size} data-tip={t('app.retry')} onClick={retry}>
        {reason || t('im.img.failed')}
      </button>
    )
  return (
    <button
      type="button"
      className="im-picture"
      aria-label={data.name ?? t('im.type.img')}
      onClick={() => void openWindow('im-img-viewer', { conversationId, number })}
    >
      {/* The size is known before the picture is, so nothing moves when it arrives. */}
      {url === undefined ? <span style={size} /> : <img src={url} alt={data.name ?? ''} {...size} draggable={false} />}
    </button>
  )
}

/** A file of the conversation: a copy with an end. */
export function FileMessage({ message }: { readonly message: TalkMessage }): ReactNode {
  const t = useT()
  const { data, conversationId, fileId } = message
  const name = data.name ?? ''
  const save = async (): Promise<void> => {
    const folder = await openWindow('drive-folder-pick', { title: t('im.saveToDrive'), hint: name, verb: 'copy' })
    if (folder === undefined) return
    await api.of(mainServer).imSaveToDrive({ conversationId, fileId, folderId: folder.fId })
    toast({ text: t('im.savedToDrive'), kind: 'success' })
  }
  const preview = (): void =>
    void openWindow('im-file', {
      ...{
        fName: name,
        fileSize: data.size ?? 0,
        url: streamUrl('imFilePreview', { conversationId, fileId }, mainServer),
      },
    })
  return (
    <div className="im-card">
      <div className="im-card-head">
        <FileIcon ext={splitName(name).ext} size={40} />
        <span>
          {/* The whole name is read to screen readers and shown on hover ([R130]). */}
          <b data-tip={name} aria-label={name}>
            {shortName(name)}
          </b>
          <small>
            {[
              formatSize(data.size ?? 0),
              t('im.chatFile'),
              data.expired === true
                ? t('im.expired')
                : t('im.until', { date: fullTime(data.expiresAt ?? 0).slice(0, 10) }),
            ].join(' · ')}
          </small>
        </span>
      </div>
      {data.expired !== true && (
        <div className="im-card-ways">
          {documentKind(extNameOf(name)) !== undefined && (
            <button type="button" onClick={preview}>
              {t('im.preview')}
            </button>
          )}
          <button type="button" onClick={() => void saveFile({ conversationId, fileId }, name)}>
            {t('im.download')}
          </button>
          <button type="button" onClick={() => void save()}>
            {t('im.saveToDrive')}
          </button>
        </div>
      )}
    </div>
  )
}

/** A card of a drive item: what it shows and allows are the rights of who looks at it (X73). */
export function ShareMessage({ message, mine }: { readonly message: TalkMessage; readonly mine: boolean }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { fType = 1, fId = 0 } = message.data
  const {
    data: card,
    error,
    refetch,
  } = useQuery({
    queryKey: ['im-card', fType, fId],
    queryFn: async () => (await cardOf(fType, fId)) ?? null,
  })
  const [asked, setAsked] = useState(false)
  // What the reader cannot see has no name to ask for: the sender is asked, in the conversation.
  const askSender = (): void => {
    const { conversationId, number } = message
    sendMessage(conversationId, { type: 'text', value: t('im.askText'), quote: number })
    setAsked(true)
  }
  if (card === undefined && error !== null)
    return (
      <div className="im-card">
        <p className="im-card-note">{error.message}</p>
        <div className="im-card-ways">
          <button type="button" onClick={() => void refetch()}>
            {t('app.retry')}
          </button>
        </div>
      </div>
    )
  if (card === undefined) return <div className="im-card is-loading" />
  if (card === null)
    return (
      <div className="im-card is-denied">
        <div className="im-card-head">
          <LockClosed20Regular />
          <span>
            <b>{t('im.noRights')}</b>
            <small>{t('im.driveItem')}</small>
          </span>
        </div>
        {asked ? (
          <p className="im-card-note">{t('im.askedRights')}</p>
        ) : (
          !mine && (
            <div className="im-card-ways">
              <button type="button" onClick={askSender}>
                {t('im.askRights')}
              </button>
            </div>
          )
        )}
      </div>
    )
  const { name } = card
  const may = (right: 'preview' | 'download') => hasRight(rights(card.rights), right)
  const file = {
    serverId: 0,
    fId,
    fName: name,
    fileSize: card.size,
    canPreview: true,
    canDownload: may('download'),
    canPrint: false,
  }
  const ask = async (): Promise<void> => {
    const made = await openWindow('cloudoc-authorization-apply', { item: { serverId: 0, fId, fType, fName: name } })
    if (made !== undefined) setAsked(true)
  }
  return (
    <div className="im-card">
      <div className="im-card-head">
        {fType === 1 ? <FileIcon ext={splitName(name).ext} size={40} /> : <FolderIcon size={40} />}
        <span>
          <b data-tip={name} aria-label={name}>
            {shortName(name)}
          </b>
          <small>{[fType === 1 ? formatSize(card.size) : '', t('im.driveItem')].filter(Boolean).join(' · ')}</small>
        </span>
      </div>
      {asked && <p className="im-card-note">{t('im.askedRights')}</p>}
      {mine && <WhoCannotOpen message={message} />}
      <div className="im-card-ways">
        {fType === 1 && may('preview') && (
          <button type="button" onClick={() => void openWindow('previewer', { fileInfo: file })}>
            {t('im.preview')}
          </button>
        )}
        {!may('preview') && (
          <button type="button" onClick={() => void ask()}>
            {t('im.askRights')}
          </button>
        )}
        <button
          type="button"
          onClick={() => void navigate(`/doc/folder/files?itemIdStr=${formatItemIdStr({ serverId: 0, fType, fId })}`)}
        >
          {t('im.openPlace')}
        </button>
      </div>
    </div>
  )
}

const mostNamed = 3
/** For how long a right is granted from a card. */
const grantedMs = 30 * 24 * 60 * 60_000

/** Names to the sender who cannot open the card, and offers to grant the right. */
function WhoCannotOpen({ message }: { readonly message: TalkMessage }): ReactNode {
  const t = useT()
  const { conversationId, number, data } = message
  const key = ['im-card', 'readers', conversationId, number]
  const { data: readers } = useQuery({
    queryKey: key,
    queryFn: () => api.imCardReaders({ conversationId, number }, { quiet: true }),
  })
  const printRights = useSession().setting.print_rights
  if (readers === undefined || readers.without.length === 0) return null
  const { without } = readers
  const names =
    without
      .slice(0, mostNamed)
      .map(({ name }) => name)
      .join(t('im.and')) + (without.length > mostNamed ? '…' : '')
  const grant = async (): Promise<void> => {
    const id = data.fId ?? 0
    const answers = await api.of(mainServer).shareItems({
      fileIdArray: data.fType === 1 ? [id] : [],
      folderIdArray: data.fType === 2 ? [id] : [],
      subjects: without.map(({ userId }) => ({ subjectType: 'user' as const, subjectId: userId })),
      rights: groupRights('preview', { printRights }),
      expireTime: Date.now() + grantedMs,
      message: '',
    })
    const [refused] = answers.filter(({ result }) => result !== codes.success.code)
    if (refused === undefined) toast({ text: t('im.granted'), kind: 'success' })
    else toast({ text: codeText(refused.result, currentLocale()), kind: 'error' })
    refetchCards()
  }
  return (
    <p className="im-card-warning">
      <span>{t('im.cannotOpen', { names })}</span>
      {readers.mayGrant && (
        <Button kind="link" onClick={() => void grant()}>
          {t('im.grant')}
        </Button>
      )}
    </p>
  )
}

/** A link outside or to the drive. Its page is never fetched for a preview. */
export function LinkMessage({ message }: { readonly message: TalkMessage }): ReactNode {
  const { url = '', name } = message.data
  return (
    <a className="im-card im-card-head" href={url} target="_blank" rel="noopener noreferrer">
      <Link20Regular />
      <span>
        <b>{name ?? url}</b>
        <small>{url}</small>
      </span>
    </a>
  )
}

/** A merged forward: its first lines, and all of them on demand. */
export function RecordsMessage({ message }: { readonly message: TalkMessage }): ReactNode {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const records = message.data.records ?? []
  const shown = isOpen ? records : records.slice(0, mostNamed)
  return (
    <div className="im-card im-records">
      <b>{t('im.records', { name: message.value })}</b>
      {shown.map((one, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- the records stay in their order
        <p key={n}>
          <bdi>{one.name}</bdi>：
          {one.state === undefined ? (
            <bdi>{one.type === 'img' ? t('im.type.img') : one.value}</bdi>
          ) : (
            <em>{t(`im.record.${one.state}`)}</em>
          )}
        </p>
      ))}
      {!isOpen && records.length > shown.length && (
        <Button kind="link" onClick={() => setOpen(true)}>
          {t('im.recordsOpen', { n: records.length })}
        </Button>
      )}
    </div>
  )
}
