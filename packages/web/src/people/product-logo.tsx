import type { ReactNode } from 'react'

/** The product logo: a cloud in the colour of the skin. */
export function ProductLogo({ size }: { readonly size: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--primary)" />
      <path
        d="M10.500 22a4.500 4.500 0 0 1-.6-8.960 6.250 6.250 0 0 1 12.100-.960A5 5 0 0 1 21.500 22z"
        fill="var(--on-primary)"
      />
    </svg>
  )
}
