import { Component, type ReactNode } from 'react'
import { ChunkFailure } from './chunks.tsx'

interface BoundaryProps {
  readonly children: ReactNode
}

/** Keeps a part of the page that broke from taking the rest with it, and offers to reload. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === undefined ? this.props.children : <ChunkFailure error={error} />
  }
}
