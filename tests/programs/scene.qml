// Shapes, gradients and text, none of which moves.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    width: 320; height: 240; visible: true; color: "#303050"
    Rectangle {
        x: 30; y: 30; width: 150; height: 100; radius: 20; rotation: 15
        gradient: Gradient {
            GradientStop { position: 0; color: "gold" }
            GradientStop { position: 1; color: "firebrick" }
        }
    }
    Text { x: 40; y: 170; color: "white"; text: "Qt Quick"; font.pixelSize: 36 }
    Rectangle {
        x: 190; y: 90; width: 90; height: 90; radius: 45; color: "#8040c0ff"
        border { width: 6; color: "white" }
    }
}
