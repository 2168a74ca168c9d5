// /watermark/:url/:options ([R283]): shows a URL of this server under the watermark that the options describe.
import type { Watermark } from '@cloudoc/contract'
import {
  defaultWatermark,
  maxWatermarkLength,
  watermarkLayouts,
  watermarkLines,
  watermarkZIndex,
} from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { StatePage } from '../../kit/state-page.tsx'
import { WatermarkOverlay } from './watermark.tsx'
import '../shared/preview.css'

type Options = Record<string, unknown>

/** Parses JSON or query fields. */
export function readOptions(text: string): Options {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Options
  } catch {
    // It is not JSON.
  }
  return Object.fromEntries(new URLSearchParams(text))
}

/** The watermark that options describe; missing options have default values ([R280]). */
export function watermarkOf(
  options: Options,
  said: Parameters<typeof watermarkLines>[1],
): Watermark & { zIndex: number } {
  const number = (name: string, least: number, most: number, usual: number): number => {
    const given = Number(options[name] ?? Number.NaN)
    return Number.isFinite(given) ? Math.min(most, Math.max(least, given)) : usual
  }
  const { text, content, color, layout } = options
  const words = [text, content].find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined
  return {
    lines: watermarkLines((words ?? '{name} {account}').slice(0, maxWatermarkLength), said),
    image: '',
    rotate: number('rotate', -90, 90, defaultWatermark.rotate),
    padding: number('padding', 0, 400, defaultWatermark.padding),
    opacity: number('opacity', 0.05, 1, defaultWatermark.opacity),
    lineGap: number('lineGap', 0, 40, defaultWatermark.lineGap),
    size: number('size', 8, 72, defaultWatermark.size),
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : defaultWatermark.color,
    layout: watermarkLayouts.find((one) => one === layout) ?? defaultWatermark.layout,
    zIndex: number('zIndex', 1, 2_147_483_647, watermarkZIndex),
  }
}

/** Accepts a URL of this server that is not a watermark page itself; undefined for any other. */
export function embeddedAddress(url: string): string | undefined {
  const found = URL.parse(url, location.origin)
  if (found === null || found.origin !== location.origin || found.pathname.startsWith('/watermark')) return undefined
  return found.href
}

export function WatermarkPage(): ReactNode {
  const t = useT()
  const { url = '', options = '' } = useParams()
  const { account } = useSession()
  const [now] = useState(() => new Date())
  const address = embeddedAddress(url)
  if (address === undefined)
    return <StatePage title={t('drive.watermark.notHere')} text={t('drive.watermark.notHereMore')} />
  const { zIndex, ...watermark } = watermarkOf(readOptions(options), {
    name: account.accountName,
    account: account.account,
    time: `${now.toLocaleDateString('sv')} ${now.toLocaleTimeString('sv').slice(0, 5)}`,
  })
  return (
    <main className="pv-marked-page">
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of this server, for who is signed in here */}
      <iframe title={t('drive.watermark.title')} src={address} />
      <WatermarkOverlay watermark={watermark} zIndex={zIndex} />
    </main>
  )
}
