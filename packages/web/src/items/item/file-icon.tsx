// Our own file type icons: a page with a folded corner, a hue per file family through the --ft-* tokens, and a few
// letters or a glyph. One drawing on a 24 grid serves 16, 22, 40 and 64 pixels.
import { hasStatus, type ItemStatus } from '@cloudoc/domain'
import { memo, type ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import './item.css'

type Hue = 'doc' | 'xls' | 'ppt' | 'pdf' | 'img' | 'av' | 'zip' | 'cad' | 'txt' | 'code'

interface Kind {
  readonly hue: Hue
  /** One to three letters, or the name of a glyph. */
  readonly mark: string
  readonly exts: string
}

const kinds = {
  doc: { hue: 'doc', mark: 'W', exts: 'doc docx docm dot dotx rtf odt' },
  xls: { hue: 'xls', mark: 'X', exts: 'xls xlsx xlsm xlsb xlt xltx ods' },
  csv: { hue: 'xls', mark: 'CSV', exts: 'csv tsv' },
  ppt: { hue: 'ppt', mark: 'P', exts: 'ppt pptx pptm pps ppsx pot potx odp' },
  pdf: { hue: 'pdf', mark: 'PDF', exts: 'pdf' },
  ofd: { hue: 'pdf', mark: 'OFD', exts: 'ofd' },
  txt: { hue: 'txt', mark: ':lines', exts: 'txt log text' },
  md: { hue: 'code', mark: 'MD', exts: 'md markdown' },
  image: { hue: 'img', mark: ':image', exts: 'png jpg jpeg gif bmp webp svg tif tiff heic heif ico avif' },
  psd: { hue: 'img', mark: 'PS', exts: 'psd psb' },
  ai: { hue: 'img', mark: 'AI', exts: 'ai eps cdr sketch fig xd' },
  audio: { hue: 'av', mark: ':audio', exts: 'mp3 wav flac m4a aac ogg wma amr opus' },
  video: { hue: 'av', mark: ':play', exts: 'mp4 mov avi mkv webm wmv flv m4v mpg mpeg rmvb' },
  zip: { hue: 'zip', mark: ':zip', exts: 'zip rar 7z tar gz tgz bz2 xz iso' },
  cad: { hue: 'cad', mark: 'CAD', exts: 'dwg dxf dwf dwt stp step igs' },
  mail: { hue: 'doc', mark: ':mail', exts: 'eml msg' },
  code: {
    hue: 'code',
    mark: ':code',
    exts: 'js mjs cjs ts tsx jsx py java c h cpp hpp cs go rs rb php sh bat ps1 sql yml yaml toml ini conf css scss vue',
  },
  html: { hue: 'code', mark: ':globe', exts: 'html htm mht mhtml' },
  json: { hue: 'code', mark: ':braces', exts: 'json jsonl xml' },
  exe: { hue: 'txt', mark: ':gear', exts: 'exe msi dll dmg pkg deb rpm' },
  apk: { hue: 'xls', mark: 'APK', exts: 'apk ipa' },
  font: { hue: 'txt', mark: 'Aa', exts: 'ttf otf ttc woff woff2' },
  wps: { hue: 'doc', mark: 'WPS', exts: 'wps wpt' },
  et: { hue: 'xls', mark: 'ET', exts: 'et ett' },
  dps: { hue: 'ppt', mark: 'DPS', exts: 'dps dpt' },
  visio: { hue: 'doc', mark: 'V', exts: 'vsd vsdx' },
  project: { hue: 'xls', mark: 'MPP', exts: 'mpp' },
  link: { hue: 'doc', mark: ':link', exts: 'url lnk webloc' },
} as const satisfies Record<string, Kind>

const kindOfExt: ReadonlyMap<string, Kind> = new Map(
  Object.values(kinds).flatMap((kind) => kind.exts.split(' ').map((ext) => [ext, kind] as const)),
)
const unknownKind: Kind = { hue: 'txt', mark: '?', exts: '' }

const strokeGlyphs: Readonly<Record<string, string>> = {
  ':lines': 'M8 12h8M8 15h8M8 18h5',
  ':audio':
    'M10.4 17.6v-6l5-1v5.4M10.4 17.6a1.5 1.3 0 1 1-3 0 1.5 1.3 0 0 1 3 0zM15.4 16a1.5 1.3 0 1 1-3 0 1.5 1.3 0 0 1 3 0z',
  ':mail': 'M7.5 12h9v6h-9zM7.5 12.4l4.5 3.2 4.5-3.2',
  ':code': 'm9.8 12-2.6 2.9 2.6 2.9M14.2 12l2.6 2.9-2.6 2.9',
  ':globe': 'M12 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM8 15h8M12 11c2.2 2.6 2.2 5.4 0 8M12 11c-2.2 2.6-2.2 5.4 0 8',
  ':braces':
    'M10 11.5c-1.4 0-1.6.6-1.6 1.5 0 1-.2 1.7-1.2 1.9 1 .2 1.2.9 1.2 1.9 0 .9.2 1.5 1.6 1.5M14 11.5c1.4 0 1.6.6 1.6 1.5 0 1 .2 1.7 1.2 1.9-1 .2-1.2.9-1.2 1.9 0 .9-.2 1.5-1.6 1.5',
  ':gear':
    'M12 13.2a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8zM12 11v1.4M12 17.8v1.4M8 15.1h1.4M14.6 15.1H16M9.2 12.3l1 1M13.8 16.9l1 1M14.8 12.3l-1 1M10.2 16.9l-1 1',
  ':link':
    'M10.6 16.4a2.3 2.3 0 0 0 3.3 0l1.5-1.5a2.3 2.3 0 0 0-3.3-3.3l-.6.6M13.2 13.6a2.3 2.3 0 0 0-3.3 0l-1.5 1.5a2.3 2.3 0 0 0 3.3 3.3l.6-.6',
  ':zip': 'M11 2.7h1.4M12.4 4.9h1.4M11 7.1h1.4M12.4 9.3h1.4M11 11.5h1.4M10.8 14.2h3.2v3.6h-3.2z',
}

function mark(kind: Kind): ReactNode {
  const colour = `var(--ft-${kind.hue})`
  if (kind.mark === ':play') return <path d="m10 10.8 5.2 3.3-5.2 3.3z" fill={colour} />
  if (kind.mark === ':image') {
    return (
      <>
        <circle cx="9.3" cy="12.2" r="1.4" fill={colour} />
        <path d="m6.8 18.3 3.7-3.9 2 2 2.1-2.5 2.9 4.4z" fill={colour} />
      </>
    )
  }
  const stroke = strokeGlyphs[kind.mark]
  if (stroke !== undefined) {
    return (
      <path d={stroke} fill="none" stroke={colour} strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" />
    )
  }
  const [y, size] = kind.mark.length === 1 ? [17.6, 9.5] : kind.mark.length === 2 ? [17, 8] : [16.6, 6.6]
  return (
    <text
      x="12"
      y={y}
      fontSize={size}
      fontWeight="700"
      fill={colour}
      textAnchor="middle"
      fontFamily="Arial, Helvetica, sans-serif"
    >
      {kind.mark}
    </text>
  )
}

/** The sizes that the icons are designed for. */
export type IconSize = 16 | 22 | 40 | 64

interface FileIconProps {
  readonly ext: string
  readonly size?: IconSize
}

/** The icon of a file by its extension. */
export const FileIcon = memo(function FileIcon({ ext, size = 22 }: FileIconProps): ReactNode {
  const kind = kindOfExt.get(ext) ?? unknownKind
  const colour = `var(--ft-${kind.hue})`
  const page = 'M6 2h8.5L20 7.5V20a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z'
  return (
    <svg className="dr-icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={page} fill={colour} opacity=".14" />
      <path
        d={`${page}M14.5 2v4A1.5 1.5 0 0 0 16 7.5h4`}
        fill="none"
        stroke={colour}
        strokeWidth={size >= 40 ? 1.1 : 1.3}
        strokeLinejoin="round"
      />
      {mark(kind)}
    </svg>
  )
})

/** The overlay in the corner of an icon: the row is a link, which may be broken. */
export function LinkSign({ isBroken }: { readonly isBroken: boolean }): ReactNode {
  const t = useT()
  return (
    <svg
      className={`dr-link-sign${isBroken ? ' is-broken' : ''}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      role="img"
      aria-label={t(isBroken ? 'drive.link.brokenSign' : 'drive.link.sign')}
    >
      <rect width="12" height="12" rx="2" />
      <path d={isBroken ? 'M3.5 3.5l5 5M8.5 3.5l-5 5' : 'M3.5 8.5l4.5-4.5M4.5 3.5h4v4'} />
    </svg>
  )
}

/** The variants of the folder icon. */
export type FolderIconState = 'plain' | 'locked' | 'associated' | 'library' | 'personal'

/** Returns the icon variant of a folder with this status. */
export function folderIconState(status: ItemStatus): FolderIconState {
  if (hasStatus(status, 'folderReadOnly')) return 'locked'
  const isBound = hasStatus(status, 'associateFolder') || hasStatus(status, 'inheritAssociationFolder')
  return isBound ? 'associated' : 'plain'
}

const folderGlyphs: Readonly<Record<FolderIconState, string>> = {
  plain: '',
  locked: 'M9.5 14h5v4h-5zM10.5 14v-1.2a1.5 1.5 0 0 1 3 0V14',
  associated: 'M8.5 15h7M12.8 12.5l2.7 2.5-2.7 2.5',
  library: 'M9 18v-5.5h6V18M10.8 14.5h.4M12.8 14.5h.4M10.8 16.3h.4M12.8 16.3h.4',
  personal: 'M12 11.8a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2zM9 18.2c.3-1.7 1.5-2.4 3-2.4s2.7.7 3 2.4',
}

/** The icon of a folder. Its hue is defined by the skin. */
export const FolderIcon = memo(function FolderIcon({
  look = 'plain',
  size = 22,
}: {
  readonly look?: FolderIconState
  readonly size?: IconSize
}): ReactNode {
  return (
    <svg className="dr-icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M2 6.5A2.5 2.5 0 0 1 4.5 4h4.7l2.3 2.5h8A2.5 2.5 0 0 1 22 9v8.5a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 2 17.5z"
        fill="var(--dr-folder-back)"
      />
      <path d="M2 9.5h20v8a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 2 17.5z" fill="var(--dr-folder-front)" />
      {look !== 'plain' && size > 16 && (
        <path
          d={folderGlyphs[look]}
          fill="none"
          stroke="var(--dr-folder-ink)"
          strokeWidth="1.3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  )
})
