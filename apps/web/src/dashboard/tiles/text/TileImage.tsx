import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isGuestPage } from '../../../data/session/guest.ts';
import { client } from '../../../data/server.ts';
import { viewAsUrl } from '../../../data/session/view-as.ts';

interface TileImageProps {
  readonly file: string;
  readonly alt: string;
}

const look = 'size-full rounded-tile object-contain';

/** An image of the workspace. */
export function TileImage({ file, alt }: TileImageProps) {
  return isGuestPage ? (
    <FetchedImage file={file} alt={alt} />
  ) : (
    <img src={viewAsUrl(`/api/v1/images/${encodeURIComponent(file)}`)} alt={alt} className={look} />
  );
}

/** An image that only a request with a guest's token gets. */
function FetchedImage({ file, alt }: TileImageProps) {
  const { data } = useQuery({
    queryKey: ['image', file],
    queryFn: async ({ signal }) => {
      const response = await client.getImage({ params: { file } }, { signal });
      return URL.createObjectURL(await response.blob());
    },
    gcTime: 0,
  });
  useEffect(() => () => void (data && URL.revokeObjectURL(data)), [data]);
  return data === undefined ? (
    <span role="img" aria-label={alt} />
  ) : (
    <img src={data} alt={alt} className={look} />
  );
}
