import './tokens.css';
import './base.css';
import './controls.css';
import './layout.css';
import './overlays.css';
