// The watermark of conversations: the name of who reads, in tiles of 100x100 ([R282]).

import { limits } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useSession } from '../../core/session/session.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Draws the name of the reader behind the messages of a conversation. */
export function ChatWatermark(): ReactNode {
  const { account } = useSession()
  const side = limits.talkWatermark
  const name = escaped([...`${account.accountName} ${account.account}`].slice(0, 16).join(''))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><text x="50%" y="50%" text-anchor="middle" transform="rotate(-24 ${side / 2} ${side / 2})" font-size="11" fill="#808792" fill-opacity="0.16">${name}</text></svg>`
  return (
    <div
      className="im-watermark"
      aria-hidden="true"
      style={{
        backgroundImage: `url("data:image/svg+xml,${encodeURIComponent(svg)}")`,
        backgroundSize: `${side}px ${side}px`,
      }}
    />
  )
}
