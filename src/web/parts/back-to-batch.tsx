import { linkTo } from '../route.ts';
import { Text } from './text.tsx';

/** The way back from a page about a batch to the page of the batch. */
export function BackToBatch({ batchId }: { batchId: string }) {
  return (
    <p class="back">
      <a href={linkTo(['batches', batchId])}>
        <Text>{batchId}</Text>
      </a>
    </p>
  );
}
