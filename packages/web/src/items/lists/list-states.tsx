// The placeholder of a list without rows, with the next step for each case.
import type { ReactNode } from 'react'
import { CallError, type FailureCode } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useLinkedServer } from '../../core/session/linked-servers.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatePage as State, type StatePageProps } from '../../kit/state-page.tsx'
import { useDelayed } from '../../kit/use-delayed.ts'
import type { Filter } from './filter-field.tsx'
import './list-states.css'

/** Shown instead of the rows. The area below still accepts clicks and drops. */
export function StatePage(props: StatePageProps): ReactNode {
  return (
    <div className="dr-state">
      <State {...props} />
    </div>
  )
}

export function EmptyPicture(): ReactNode {
  return (
    <svg width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
      <path
        d="M12 28a8 8 0 0 1 8-8h16l8 8h32a8 8 0 0 1 8 8v36a8 8 0 0 1-8 8H20a8 8 0 0 1-8-8z"
        fill="var(--dr-folder-back)"
        opacity=".4"
      />
      <rect x="32" y="16" width="32" height="36" rx="2" fill="var(--bg)" />
      <rect
        x="32"
        y="16"
        width="32"
        height="36"
        rx="2"
        fill="none"
        stroke="var(--text-3)"
        strokeWidth="1.5"
        strokeDasharray="4 4"
      />
      <path
        d="M48 42V28m-6 6 6-6 6 6"
        fill="none"
        stroke="var(--text-2)"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M12 44h72v28a8 8 0 0 1-8 8H20a8 8 0 0 1-8-8z" fill="var(--dr-folder-front)" />
    </svg>
  )
}

/** A sheet with a symbol on it: a lock, a magnifier or an exclamation mark. */
export function SheetPicture({ sign }: { readonly sign: 'lock' | 'search' | 'warning' | 'bin' }): ReactNode {
  const signs = {
    lock: 'M60 66v-4a5 5 0 0 1 10 0v4M58 66h14v10H58z',
    search: 'M64 61a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM69 74l5 5',
    warning: 'M65 60v9M65 74v.5',
    bin: 'M57 63h16M62 63v-3h6v3M59 63l1.500 14h9L71 63',
  }
  return (
    <svg width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
      <rect
        x="22"
        y="14"
        width="44"
        height="58"
        rx="5"
        fill="var(--sunken)"
        stroke="var(--border-strong)"
        strokeWidth="1.500"
      />
      <path
        d="M31 28h22M31 38h26M31 48h18"
        stroke="var(--border-strong)"
        strokeWidth="2.500"
        strokeLinecap="round"
        opacity=".6"
      />
      <circle cx="65" cy="68" r="17" fill="var(--bg)" stroke="var(--text-2)" strokeWidth="1.500" />
      <path
        d={signs[sign]}
        fill="none"
        stroke="var(--text-2)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly onUp: () => void
  /** The title of the error if the list is not a folder. */
  readonly title?: string | undefined
}

/** What is said of a linked server that cannot be used ([R345]). */
const downTexts: Partial<
  Record<
    FailureCode,
    'linked.down.invalid' | 'linked.down.missing' | 'linked.down.notResponding' | 'linked.down.faulty'
  >
> = {
  interconnectedServerInvalid: 'linked.down.invalid',
  interconnectedServerMissing: 'linked.down.missing',
  interconnectedServerNotResponding: 'linked.down.notResponding',
  interconnectedServerFaulty: 'linked.down.faulty',
  timeout: 'linked.down.notResponding',
}

/** A folder that cannot be opened: it is deleted, hidden from the user, or the server cannot be reached. */
export function FolderFailure({ error, onRetry, onUp, title }: FailureProps): ReactNode {
  const t = useT()
  const code = error instanceof CallError ? error.code : undefined
  const server = useLinkedServer(error instanceof CallError ? error.serverId : undefined)
  if (code === 'notFound' || code === 'noPermission') {
    return (
      <StatePage
        picture={<SheetPicture sign="lock" />}
        title={t('drive.state.hidden')}
        text={t('drive.state.hiddenWhy')}
      >
        <Button kind="primary" onClick={onUp}>
          {t('drive.state.toMyFiles')}
        </Button>
        <Button onClick={onRetry}>{t('drive.retry')}</Button>
      </StatePage>
    )
  }
  const down = code === undefined ? undefined : downTexts[code]
  if (down !== undefined && server !== undefined) {
    const name = server.serverName
    return (
      <StatePage
        picture={<SheetPicture sign="warning" />}
        title={t('linked.down.title', { name })}
        text={t(down, { name })}
      >
        <Button kind="primary" onClick={onRetry}>
          {t('drive.retry')}
        </Button>
        <Button onClick={() => void openWindow('connection-diagnostics', {})}>{t('linked.diagnose')}</Button>
        <small className="dr-state-code">{t('linked.down.code', { code: (error as CallError).number })}</small>
      </StatePage>
    )
  }
  return (
    <StatePage
      picture={<SheetPicture sign="warning" />}
      title={title ?? t('drive.state.failed')}
      text={error instanceof CallError ? error.message : t('drive.state.unreachable')}
    >
      <Button kind="primary" onClick={onRetry}>
        {t('drive.retry')}
      </Button>
    </StatePage>
  )
}

/** Grey bars as placeholders of rows. */
export function SkeletonRows({ count }: { readonly count: number }): ReactNode {
  const widths = [46, 33, 52, 54, 42, 49, 47, 38]
  return (
    <div className="dr-skeleton" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <div className="dr-skeleton-row" key={i}>
          <i style={{ width: 22 }} />
          <i style={{ width: `${widths[i % widths.length]}%` }} />
          <i style={{ width: 64 }} />
          <i style={{ width: 48 }} />
          <i style={{ width: 40 }} />
        </div>
      ))}
    </div>
  )
}

/** The placeholder of a page of rows until it is known which rows it shows. */
export function PendingRows(): ReactNode {
  const slow = useDelayed(true)
  return <div className="dr-files dr-rows-to-come">{slow && <SkeletonRows count={8} />}</div>
}

interface NoMatchProps extends Filter {
  readonly text?: string
}

/** Shown when no item matches the filter. */
export function NoMatch({ keyword, onKeyword, text }: NoMatchProps): ReactNode {
  const t = useT()
  return (
    <StatePage
      picture={<SheetPicture sign="search" />}
      title={t('drive.state.noMatch', { keyword })}
      {...(text !== undefined && { text })}
    >
      <Button kind="primary" onClick={() => onKeyword('')}>
        {t('drive.state.clearFilter')}
      </Button>
    </StatePage>
  )
}
