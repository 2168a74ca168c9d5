import type { ReactNode } from 'react'

/** A picture for an empty list. */
export function NothingPicture(): ReactNode {
  return (
    <svg width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
      <circle cx="48" cy="48" r="34" fill="var(--sunken)" />
      <path
        d="M48 26a15 15 0 0 0-15 15v11l-4 8h38l-4-8V41a15 15 0 0 0-15-15z"
        fill="var(--bg)"
        stroke="var(--border-strong)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path
        d="M42 64a6 6 0 0 0 12 0"
        fill="none"
        stroke="var(--border-strong)"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <path
        d="m41 46 5 5 10-10"
        fill="none"
        stroke="var(--success)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
