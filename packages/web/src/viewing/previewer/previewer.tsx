// The previewer: one file over the whole window, dark in every theme, with the adjacent files of the list to the left
// and right.

import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { t, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { OfflineCopy } from '../../core/storage/offline-copies.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { type PreviewFile, previewFile } from '../../items/actions/preview-file.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { EllipsizedName } from '../../items/item/ellipsized-name.tsx'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { folderPath } from '../../items/item/item.ts'
import type { SearchTarget } from '../../items/item/search-target.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { recordRecent } from '../../items/lists/recents.ts'
import { ChevronLeft20Regular, ChevronRight20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { downloadEntry } from '../../transfer/tasks/download.ts'
import { useSwipes } from '../controls/gestures.ts'
import { FindBar } from '../find/find-bar.tsx'
import { type FindSource, FindSourceContext, type PageHits, PageHitsContext } from '../find/find-source.ts'
import type { ChosenVersion, InfoTab, PictureInfo } from '../info/info-panel.tsx'
import { OfflineViewer } from '../offline/offline-viewer.tsx'
import { offlineCopyInstead, saveOfflineCopy } from '../offline/save-copies.ts'
import type { ArchiveAccess, DecodedEntry } from '../rendition/archive-access.ts'
import {
  archiveEntryUrl,
  forgetAddress,
  type PreviewAddress,
  prepareNeighbours,
  previewAddress,
} from '../rendition/preview-addresses.ts'
import { noticeChangesOf } from '../shared/file-changes.ts'
import { Content, prefetchViewer } from '../viewers/content.tsx'
import { uploadVideoThumbnail } from '../viewers/video-thumbnail.ts'
import { WatermarkOverlay } from '../watermark/watermark.tsx'
import { useAccessCheck } from './access-check.ts'
import { CopyGuard } from './copy-guard.tsx'
import { downloadShown } from './download-shown.ts'
import { conversionFailure, type PreviewFailure, previewFailure, unsupportedFailure } from './preview-failure.ts'
import { PreviewHead } from './preview-head.tsx'
import { onPreviewKey } from './preview-keys.ts'
import { usePrinting } from './use-printing.ts'
import '../shared/texts.ts'
import '../shared/preview.css'

const InfoSide = lazy(() => import('../info/info-panel.tsx').then((module) => ({ default: module.InfoPanel })))

/** A file by its id alone: the previewer reads the rest from the server ([R063]). */
export interface PreviewFileId {
  readonly serverId: number
  readonly fId: number
  readonly version?: number
  /** The review in which a version is looked at: shown under the watermark of its applicant. */
  readonly reviewId?: number
}

/** What the previewer receives, by the documented names ([R079]). */
export interface PreviewerProps {
  /** The file that is shown first. */
  readonly fileInfo: PreviewFile | PreviewFileId
  /** The list that it was opened from, with the file itself. Default: the file alone. */
  readonly fileList?: PreviewFile[]
  /** Shows the version that `fileInfo` names. Otherwise the newest one is shown. */
  readonly isUseVersion?: boolean
  /** The initial search. */
  readonly find?: SearchTarget | undefined
}

/** The result of the previewer: the last shown file. */
export interface PreviewerResult {
  readonly fId: number
}

/** Previews the files of a list one at a time. */
export function Previewer({
  fileInfo,
  fileList,
  isUseVersion = false,
  ...props
}: WindowProps<PreviewerProps, PreviewerResult>): ReactNode {
  const files = useMemo(() => filesOf(fileInfo, fileList, isUseVersion), [fileInfo, fileList, isUseVersion])
  if (files !== undefined) return <FilesPreviewer {...props} {...files} />
  return <AlonePreviewer alone={isUseVersion ? fileInfo : newestOf(fileInfo)} {...props} />
}

/** The files to step through, and which is first; undefined where the file is known by its id alone. */
function filesOf(first: PreviewerProps['fileInfo'], list: PreviewFile[] | undefined, isUseVersion: boolean) {
  if (!('fName' in first)) return undefined
  const at = list?.findIndex(({ serverId, fId }) => serverId === first.serverId && fId === first.fId) ?? -1
  const files = at === -1 ? [first] : (list ?? [])
  const index = Math.max(at, 0)
  return { files: files.map((one, n) => (n === index && isUseVersion ? first : newestOf(one))), index }
}

/** The file without the version that it names. */
function newestOf<F extends PreviewFileId>({ version: _, ...file }: F): Omit<F, 'version'> {
  return file
}

type FilesProps = Pick<WindowProps<PreviewerProps, PreviewerResult>, 'find' | 'close' | 'setDirty'> & {
  readonly files: PreviewFile[]
  readonly index: number
  /** It is a separate page. */
  readonly isPage?: true
}

/** Loads the file that the URL names. */
function AlonePreviewer({
  alone,
  ...props
}: Omit<FilesProps, 'files' | 'index'> & { readonly alone: PreviewFileId }): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [item, setItem] = useState<ItemRecord>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    api
      .of(alone)
      .getFileInfo({ fileId: alone.fId }, { quiet: true })
      .then(setItem)
      .catch((error: unknown) =>
        setFailure(previewFailure({ fName: '', fileSize: 0, canDownload: false }, error, t).text),
      )
  }, [alone, t])
  if (item === undefined) {
    return (
      <div className="pv on-dark">{failure === undefined ? <Spinner /> : <p className="pv-body">{failure}</p>}</div>
    )
  }
  const version = alone.version === undefined ? {} : { version: alone.version }
  return <FilesPreviewer {...props} isPage files={[{ ...previewFile(item, context), ...version }]} index={0} />
}

function FilesPreviewer({ files, index, find, close, isPage }: FilesProps): ReactNode {
  const [sought, setSought] = useState(find)
  const [finding, setFinding] = useState(find !== undefined)
  const shown = useRef<HTMLElement>(null)
  const [at, setAt] = useState(index)
  const root = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const listed = files[at]
  const [chosen, setChosen] = useState<ChosenVersion>()
  /** Incremented when an old version is restored, so that the newest version is loaded again. */
  const [restored, setRestored] = useState(0)
  const [picture, setPicture] = useState<PictureInfo>()
  const [informing, setInforming] = useState(false)
  const [tab, setTab] = useState<InfoTab>('details')
  const turn = (to: InfoTab): void => {
    setInforming(!informing || (tab === 'versions') !== (to === 'versions'))
    setTab(to)
  }
  const [bare, setBare] = useState(false)
  const [source, setSource] = useState<FindSource>()
  const [found, setFound] = useState<PageHits>()
  const [ended, setEnded] = useState<number>()
  const isEnded = listed !== undefined && ended === listed.fId
  const none = isEnded ? { canDownload: false, canPrint: false } : {}
  const file = listed && { ...listed, ...chosen, ...none }
  const printing = usePrinting(file, root)
  const { serverId: listedOn = 0, fId: listedId, fName: listedName = '' } = listed ?? {}
  useEffect(() => {
    if (listedId === undefined) return undefined
    const showNewest = (): void => {
      setChosen(undefined)
      setRestored((count) => count + 1)
    }
    return noticeChangesOf({ serverId: listedOn, fId: listedId, fName: listedName, showNewest })
  }, [listedOn, listedId, listedName])

  // The focused element may have been removed with the previous file: focuses the previewer.
  useEffect(() => {
    if (root.current?.contains(document.activeElement) !== true) root.current?.focus()
  }, [at])
  // Only the opened file becomes a recent file, not those passed while browsing.
  const { serverId: openedOn = 0, fId: opened } = files[index] ?? {}
  useEffect(() => {
    if (opened !== undefined) recordRecent('files', { serverId: openedOn, fType: 1, fId: opened })
  }, [openedOn, opened])
  const [left, right] = [files[at - 1], files[at + 1]]
  const first = useRef(true)
  useEffect(() => {
    // The search applies only to the file that was opened first.
    if (!first.current) {
      setFinding(false)
      setSought(undefined)
    }
    first.current = false
    setChosen(undefined)
    const timer = setTimeout(() => {
      prepareNeighbours([right, left].filter((one) => one?.canPreview === true) as PreviewFile[])
    }, restMs)
    return () => clearTimeout(timer)
  }, [left, right])
  const step = (by: 1 | -1): boolean => {
    const isThere = files[at + by] !== undefined
    if (isThere) setAt(at + by)
    return isThere
  }
  const swipes = useSwipes({ onSwipe: step, onTap: () => setBare(!bare) })
  if (file === undefined) return null

  const leave = (): void => close({ fId: file.fId })
  const onKeyDown = (event: React.KeyboardEvent): void =>
    onPreviewKey(event, {
      root: root.current,
      file,
      at,
      total: files.length,
      printing,
      onTurn: setAt,
      onFind: () => setFinding(true),
      onLeave: leave,
    })

  return (
    <div
      className={`pv on-dark${bare ? ' is-bare' : ''}`}
      ref={root}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPointerMove={({ pointerType }) => {
        if (bare && pointerType === 'mouse') setBare(false)
      }}
    >
      <PreviewHead
        file={file}
        at={at}
        total={files.length}
        actions={file.version === undefined && !isEnded ? { onRun: isPage ? undefined : leave } : undefined}
        printing={printing}
        isFinding={finding}
        onFind={() => setFinding(!finding)}
        info={informing ? tab : undefined}
        onInfo={turn}
        onFullScreen={() => void turnFullScreen(root.current)}
        onLeave={leave}
      />
      <div className="pv-room">
        <main className="pv-body" ref={shown} {...swipes}>
          <FindSourceContext value={setSource}>
            <PageHitsContext value={found}>
              <PreviewArea
                key={`${file.fId} ${file.version ?? `newest ${restored}`}`}
                file={file}
                onPicture={setPicture}
                onEnded={(isOver) => setEnded(isOver ? file.fId : undefined)}
                onPlace={(path) => {
                  leave()
                  void navigate(path)
                }}
              />
            </PageHitsContext>
          </FindSourceContext>
          {finding && (
            <FindBar
              within={shown}
              source={source}
              sought={sought}
              onFound={setFound}
              onClose={() => {
                setFinding(false)
                // Returns the focus to the file.
                root.current?.focus()
              }}
            />
          )}
          <Neighbour side="left" file={files[at - 1]} onGo={() => step(-1)} />
          <Neighbour side="right" file={files[at + 1]} onGo={() => step(1)} />
        </main>
        {informing && !isEnded && (
          <Suspense fallback={<aside className="pv-side" />}>
            <InfoSide
              serverId={file.serverId}
              fId={file.fId}
              picture={picture}
              version={file.version}
              onVersion={setChosen}
              onRestored={() => {
                forgetAddress({ serverId: file.serverId, fId: file.fId })
                setRestored(restored + 1)
                setChosen(undefined)
              }}
              tab={tab}
              onTab={setTab}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

async function turnFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen()
  else await element?.requestFullscreen()
}

/** Milliseconds after which a file counts as viewed and the adjacent files are prepared. */
const restMs = 400

interface NeighbourProps {
  readonly side: 'left' | 'right'
  readonly file: PreviewFile | undefined
  readonly onGo: () => void
}

function Neighbour({ side, file, onGo }: NeighbourProps): ReactNode {
  const t = useT()
  if (file === undefined) return null
  const label = `${t(side === 'left' ? 'drive.preview.before' : 'drive.preview.after')}: ${isolated(file.fName)}`
  return (
    <button type="button" className={`pv-next ${side}`} aria-label={label} title={file.fName} onClick={onGo}>
      <span className="pv-round">{side === 'left' ? <ChevronLeft20Regular /> : <ChevronRight20Regular />}</span>
      <EllipsizedName name={file.fName} isFolder={false} className="pv-next-name" />
    </button>
  )
}

interface PreviewAreaProps {
  readonly file: PreviewFile
  readonly onPicture: (picture: PictureInfo | undefined) => void
  /** Called with true when the permission to view has ended, with false before a retry. */
  readonly onEnded: (isOver: boolean) => void
  /** Navigates to a path in the drive. */
  readonly onPlace: (path: string) => void
}

function PreviewArea({ file, onPicture, onEnded, onPlace }: PreviewAreaProps): ReactNode {
  const t = useT()
  const [address, setAddress] = useState<PreviewAddress>()
  const [failure, setFailure] = useState<PreviewFailure>()
  const [kept, setKept] = useState<OfflineCopy>()
  const [attempt, setAttempt] = useState(0)

  const wanted = file.canPreview
  const { serverId, fId, version, reviewId, fName, fileSize, canDownload } = file
  const onFail = useCallback(
    (error?: unknown) => {
      const fail = async (): Promise<void> => {
        const instead = version === undefined ? await offlineCopyInstead({ serverId, fId }, error) : undefined
        if (instead === undefined) setFailure(previewFailure({ fName, fileSize, canDownload }, error, t))
        else setKept(instead)
      }
      void fail()
    },
    [serverId, fId, version, fName, fileSize, canDownload, t],
  )
  useEffect(() => {
    if (!wanted) return
    if (canDownload) prefetchViewer(fName)
    let gone = false
    previewAddress({ serverId, fId, version, reviewId })
      .then((answer) => {
        if (!gone) setAddress(answer)
      })
      .catch((error: unknown) => {
        if (!gone) onFail(error)
      })
    return () => {
      gone = true
    }
  }, [wanted, serverId, fId, fName, canDownload, version, reviewId, attempt, onFail])

  // A file that is only passed while browsing is not counted as opened.
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])
  const shown = (): void => {
    if (address === undefined || version !== undefined) return
    clearTimeout(rest.current)
    rest.current = setTimeout(() => void saveOfflineCopy(file, address), restMs)
  }
  useEffect(() => () => onPicture(undefined), [onPicture])
  const original = address?.form === 'original'
  const keepLater = useEffectEvent(shown)
  useEffect(() => {
    if (original) keepLater()
  }, [original])

  useAccessCheck(
    failure === undefined && address !== undefined
      ? { serverId: file.serverId, fId, previewKey: address.previewKey }
      : undefined,
    (error) => {
      forgetAddress(file)
      if (version === undefined) void offlineCopyInstead({ serverId, fId }, error)
      setKept(undefined)
      setFailure(
        error.code === 'virusFile' || error.code === 'versionMissing'
          ? previewFailure(file, error, t)
          : { title: t('drive.preview.ended'), text: t('drive.preview.endedWhy'), retry: true, isClosed: true },
      )
      onEnded(true)
    },
  )

  const onRefused = useCallback(
    (state: number, message: string) =>
      setFailure(conversionFailure({ fName, fileSize, canDownload }, state, message, t)),
    [fName, fileSize, canDownload, t],
  )
  const again = async (): Promise<void> => {
    forgetAddress(file)
    onEnded(false)
    if (failure?.code !== undefined && address !== undefined) {
      await api
        .of(file)
        .convertAgain({ previewKey: address.previewKey })
        .catch(() => undefined)
    }
    setFailure(undefined)
    setKept(undefined)
    setAddress(undefined)
    setAttempt(attempt + 1)
  }

  if (!file.canPreview)
    return <Unable file={file} title={t('drive.preview.noRight')} text={t('drive.preview.noRightWhy')} />
  if (file.fileSize === 0 && version === undefined) {
    return <Unable file={file} title={t('drive.preview.empty')} text={t('drive.preview.emptyWhy')} />
  }
  if (kept !== undefined) return <OfflineViewer kept={kept} onRetry={() => void again()} />
  if (failure !== undefined) {
    const { retry, isClosed, ...why } = failure
    const of = isClosed === true ? { ...file, canDownload: false } : file
    return <Unable file={of} {...why} onRetry={retry ? () => void again() : undefined} />
  }
  if (address === undefined) return <Spinner />
  return (
    <>
      <Content
        address={address}
        file={file}
        none={<Unable file={file} {...unsupportedFailure(file, t)} />}
        onShown={shown}
        onPicture={onPicture}
        onFilm={
          address.wantsPicture && file.serverId === 0
            ? (film) => void uploadVideoThumbnail(file.fId, address.previewKey, film)
            : undefined
        }
        onFail={onFail}
        onRefused={onRefused}
        archive={file.canDownload ? archiveOf(file, address, onPlace) : undefined}
      />
      {address.watermark !== null && <WatermarkOverlay watermark={address.watermark} />}
      {address.secure && <CopyGuard />}
    </>
  )
}

/** The actions on the files of an archive. */
function archiveOf(file: PreviewFile, address: PreviewAddress, onPlace: PreviewAreaProps['onPlace']): ArchiveAccess {
  return {
    download: (entry) => void downloadEntry(file, entry).catch(notifyFailure),
    save: (entry) => void saveEntry(file, entry, onPlace).catch(notifyFailure),
    saveAll: (names) =>
      void import('../archive/unpack.ts')
        .then(({ unpackAll }) => unpackAll({ ...file, names }, onPlace))
        .catch(notifyFailure),
    open: (entry) => archiveEntryUrl(file, address, entry),
  }
}

/** Asks for a folder and has the server save a file of an archive there. */
async function saveEntry(
  { serverId, fId: fileId, version }: PreviewFile,
  { path, names }: DecodedEntry,
  onPlace: PreviewAreaProps['onPlace'],
): Promise<void> {
  const target = await openWindow('drive-folder-pick', {
    title: t('drive.preview.saveTo'),
    hint: t('drive.preview.saveHint'),
    verb: 'copy',
  })
  if (target === undefined) return
  const key = `${fileId} ${path}`
  toast({ key, text: t('drive.preview.saving', { name: path.slice(path.lastIndexOf('/') + 1) }), durationMs: 60_000 })
  try {
    const made = await api.of({ serverId }).saveArchiveEntry({
      fileId,
      path,
      folderId: target.fId,
      ...(version !== undefined && { version }),
      ...(names !== undefined && { names }),
    })
    const item = { serverId, fType: 1, fId: made.fileId } as const
    itemsChanged([item], [target.fId])
    toast({
      key,
      kind: 'success',
      text: t('drive.preview.saved', { name: made.fName, folder: target.fName }),
      action: { text: t('drive.menu.locate'), run: () => onPlace(folderPath({ serverId, fId: target.fId }, item)) },
    })
  } catch (error) {
    toast({ key, kind: 'error', text: error instanceof CallError ? error.message : t('drive.failed') })
  }
}

interface UnableProps {
  readonly file: PreviewFile
  readonly title: string
  readonly text: string
  /** The error number. */
  readonly code?: number | undefined
  readonly onRetry?: (() => void) | undefined
}

/** The reason why a file cannot be shown, and the alternatives. */
function Unable({ file, title, text, code, onRetry }: UnableProps): ReactNode {
  const t = useT()
  return (
    <div className="pv-unable">
      <FileIcon ext={extNameOf(file.fName)} size={64} />
      <h2>{title}</h2>
      <p>{text}</p>
      {code !== undefined && <p className="pv-code">{t('drive.preview.code', { n: code })}</p>}
      <div>
        {onRetry !== undefined && (
          <button type="button" className="pv-wide" onClick={onRetry}>
            {t('drive.retry')}
          </button>
        )}
        {file.canDownload && (
          <button
            type="button"
            className="pv-wide is-main"
            onClick={() => void downloadShown(file).catch(notifyFailure)}
          >
            {t('drive.download')}
          </button>
        )}
      </div>
    </div>
  )
}
