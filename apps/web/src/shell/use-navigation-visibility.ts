import { useCallback, useEffect, useState } from 'react';

/** Read by the page's own script as well, which reserves the room of the navigation before the app starts. */
const setting = 'belvedere-navigation';

/** Whether the user hid the navigation in this browser, and a function that hides or shows it. */
export function useNavigationVisibility(): readonly [boolean, () => void] {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(setting) === 'hidden');
  useEffect(() => {
    if (isHidden) localStorage.setItem(setting, 'hidden');
    else localStorage.removeItem(setting);
  }, [isHidden]);
  const toggle = useCallback(() => setIsHidden(wasHidden => !wasHidden), []);
  return [isHidden, toggle];
}
