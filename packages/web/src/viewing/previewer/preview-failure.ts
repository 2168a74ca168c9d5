// The message why a file is not shown, for all conversion states and refusals.
import { codes, defaultFormats, documentKind, extNameOf, limits, mediaExts, viewerOf } from '@cloudoc/domain'
import { CallError } from '../../core/call/api.ts'
import type { Translate } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'

/** Shown in place of the file. */
export interface PreviewFailure {
  readonly title: string
  readonly text: string
  /** A retry may help. */
  readonly retry: boolean
  /** The file must not be downloaded either, or does not exist. */
  readonly isClosed?: true
  /** The error number. */
  readonly code?: number
}

interface Wanted {
  readonly fName: string
  readonly fileSize: number
  readonly canDownload: boolean
}

/** Whether it could be shown, but the administrator has disabled the format ([R165]). */
function isSwitchedOff(ext: string): boolean {
  const formats = sessionStore.getState().session?.serverSetting.preview_format
  if (formats === undefined || viewerOf(ext, defaultFormats, false) === undefined) return false
  return viewerOf(ext, formats, false) === undefined
}

/** The message for a file without a viewer. */
export function unsupportedFailure({ fName, fileSize, canDownload }: Wanted, t: Translate): PreviewFailure {
  const ext = extNameOf(fName)
  const words = (why: 'noMedia' | 'noKind' | 'switchedOff' | 'tooLarge' | 'notInside'): PreviewFailure => ({
    title: t(`drive.preview.${why}`),
    text: t(`drive.preview.${why}Why`, { ext: ext || '—' }),
    retry: false,
  })
  if (isSwitchedOff(ext.toLowerCase())) return words('switchedOff')
  if (!canDownload && mediaExts.includes(ext.toLowerCase())) return words('noMedia')
  if (documentKind(ext.toLowerCase()) === undefined) return words('noKind')
  return words(fileSize > limits.largestDocument ? 'tooLarge' : 'notInside')
}

/** The message for a failed conversion, by its state. */
export function conversionFailure(file: Wanted, state: number, message: string, t: Translate): PreviewFailure {
  const words = (why: 'encrypted' | 'tooManyCells' | 'tooLong' | 'tooBusy', retry: boolean): PreviewFailure => ({
    ...{ title: t(`drive.preview.${why}`), text: t(`drive.preview.${why}Why`), retry, code: state },
  })
  switch (state) {
    case codes.conversionUnsupported.code:
      return { ...unsupportedFailure(file, t), code: state }
    case codes.sourceEncrypted.code:
      return words('encrypted', false)
    case codes.cellLimit.code:
      return words('tooManyCells', false)
    case codes.archiveTooLarge.code:
      return { title: t('drive.preview.notConverted'), text: message, retry: false, code: state }
    case codes.conversionTimedOut.code:
      return words('tooLong', true)
    case codes.noConversionLock.code:
      return words('tooBusy', true)
    default:
      return {
        title: t('drive.preview.notConverted'),
        text: t('drive.preview.notConvertedWhy', { why: message }),
        retry: true,
        code: state,
      }
  }
}

/** The message for an error while requesting, loading or rendering. */
export function previewFailure(file: Wanted, error: unknown, t: Translate): PreviewFailure {
  const failed = { title: t('drive.preview.failed'), retry: true }
  if (!(error instanceof CallError)) return { ...failed, text: t('drive.preview.broken') }
  const { code, number, message } = error
  switch (code) {
    case 'conversionUnsupported':
    case 'noConversionLock':
    case 'sourceEncrypted':
    case 'cellLimit':
    case 'archiveTooLarge':
    case 'conversionTimedOut':
    case 'conversionFailed':
      return conversionFailure(file, number, message, t)
    case 'virusFile':
      return {
        title: t('drive.preview.infected'),
        text: t('drive.preview.infectedWhy'),
        retry: false,
        isClosed: true,
        code: number,
      }
    case 'notInspected':
      return {
        title: t('drive.preview.uninspected'),
        text: t('drive.preview.uninspectedWhy'),
        retry: true,
        code: number,
      }
    case 'versionMissing':
      return {
        title: t('drive.preview.noVersion'),
        text: t('drive.preview.noVersionWhy'),
        retry: false,
        isClosed: true,
        code: number,
      }
    case 'notFound':
      return { ...failed, text: message, retry: false, isClosed: true }
    case 'noPermission':
    case 'secretLevel':
      return { ...failed, text: message, isClosed: true }
    default:
      return { ...failed, text: message }
  }
}
