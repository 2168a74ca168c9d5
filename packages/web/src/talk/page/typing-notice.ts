// Tells the others who types, and that the conversation is open here.
import { useEffect, useRef } from 'react'
import { api } from '../../core/call/api.ts'

const openTickMs = 30_000
const typingEveryMs = 3000

/** Returns what to call when something is typed. */
export function useTypingNotice(conversationId: number, isMember: boolean): () => void {
  const typedAt = useRef(0)
  useEffect(() => {
    const tell = (open: boolean, typing: boolean): void =>
      void api.imTyping({ conversationId, open, typing }).catch(() => undefined)
    if (!isMember) return undefined
    tell(true, false)
    const timer = setInterval(() => tell(true, false), openTickMs)
    return () => {
      clearInterval(timer)
      tell(false, false)
    }
  }, [conversationId, isMember])

  return () => {
    if (Date.now() - typedAt.current <= typingEveryMs) return
    typedAt.current = Date.now()
    void api.imTyping({ conversationId, open: true, typing: true }).catch(() => undefined)
  }
}
